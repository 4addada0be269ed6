/** Long text for the model is cut to a preview; the whole of it is kept in a private file that the preview names. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LateAnswer } from './late.js';
import type { HookOutcome } from './outcome.js';

export const DEFAULT_TEXT_LIMIT = 10_000;
const PREVIEW = 2_000;

/** Writes whole texts where only this user can read them; the directory is made when it is first needed. */
export class SpillStore {
  #directory: Promise<string> | undefined;
  #count = 0;

  /** The file's path, or undefined when it could not be written. Never rejects. */
  async save(text: string): Promise<string | undefined> {
    try {
      this.#directory ??= mkdtemp(join(tmpdir(), 'hookline-'));
      this.#count += 1;
      const name = `text-${this.#count}.txt`;
      const path = join(await this.#directory, name);
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
      return path;
    } catch {
      this.#directory = undefined;
      return undefined;
    }
  }
}

/** Leaves an outcome alone whose texts are all short enough, which nearly all are: there is nothing to wait for. */
export function capTexts(
  outcome: HookOutcome,
  limit: number,
  store: SpillStore,
): HookOutcome | Promise<HookOutcome> {
  const { additionalContext, systemMessages, reason = '', stopReason = '' } = outcome;
  const isLong = (text: string): boolean => text.length > limit;
  const someAreLong = additionalContext.some(isLong) || systemMessages.some(isLong);
  return someAreLong || isLong(reason) || isLong(stopReason) ? capLong(outcome, limit, store) : outcome;
}

async function capLong(outcome: HookOutcome, limit: number, store: SpillStore): Promise<HookOutcome> {
  const { additionalContext, systemMessages, reason, stopReason } = outcome;
  const cap = (text: string): Promise<string> | string =>
    text.length > limit ? preview(text, limit, store) : text;
  return {
    ...outcome,
    additionalContext: await Promise.all(additionalContext.map(cap)),
    systemMessages: await Promise.all(systemMessages.map(cap)),
    ...(reason !== undefined && { reason: await cap(reason) }),
    ...(stopReason !== undefined && { stopReason: await cap(stopReason) }),
  };
}

/** The same for what a hook in the background has to tell. */
export async function capLate(answer: LateAnswer, limit: number, store: SpillStore): Promise<LateAnswer> {
  const { additionalContext: context, systemMessage: message } = answer;
  return {
    ...answer,
    ...(context !== undefined &&
      context.length > limit && { additionalContext: await preview(context, limit, store) }),
    ...(message !== undefined &&
      message.length > limit && { systemMessage: await preview(message, limit, store) }),
  };
}

async function preview(text: string, limit: number, store: SpillStore): Promise<string> {
  const path = await store.save(text);
  const where = path === undefined ? 'the rest could not be saved' : `the whole text is in ${path}`;
  return `${cut(text, Math.min(PREVIEW, limit))}\n[cut: ${text.length} characters in all; ${where}]`;
}

/** Never cuts a character that takes two units in the middle. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
