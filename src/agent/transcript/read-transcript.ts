/** Reads a transcript back: what a resumed conversation starts from, and what it needs to know about its past. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../base/errors.js';
import type { ModelMessage } from '../models/port.js';
import { MAX_LINE } from './line.js';
import { readLines } from './line-reader.js';
import { type ReadLine, type ReadMessage, readLine } from './read-line.js';
import { repairConversation } from './repair.js';

/** More are counted, not listed: a file of noise has as many problems as lines. */
const MAX_PROBLEMS = 100;

export interface ReadOptions {
  /** Reads what this subagent said, instead of the main conversation. */
  readonly agentId?: string | undefined;
  /** Longer lines are left out. Default: 64 MiB. */
  readonly maxLineBytes?: number | undefined;
}

/** What a session was, as far as its file tells. */
export interface ReadTranscript {
  /** What was said since it was last compacted or cleared, repaired: a model accepts it as it is. */
  readonly messages: readonly ModelMessage[];
  /** The line to go on from. */
  readonly lastUuid?: string;
  readonly sessionId?: string;
  /** How many lines the file has, empty ones left out. */
  readonly lines: number;
  /** Each names its line. */
  readonly problems: readonly string[];
  /** When the assistant spoke last, in milliseconds since the epoch. */
  readonly lastAssistantAt?: number;
  /** How large the conversation was when the model was last asked, its answer included. */
  readonly contextTokens?: number;
}

/** Contract: never rejects. A file that cannot be read has no messages, and a problem that says why. */
export async function readTranscript(path: string, options: ReadOptions = {}): Promise<ReadTranscript> {
  const { agentId, maxLineBytes = MAX_LINE } = options;
  const past = new Past(agentId);
  let file: FileHandle | undefined;
  try {
    // As in writing: no link is followed, and a pipe is not waited for.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    file = await open(path, flags);
    if (!(await file.stat()).isFile()) throw new Error('it is no regular file');
    for await (const { number, text } of readLines(file, maxLineBytes)) {
      if (text === undefined) past.skipHook(number, `is longer than ${maxLineBytes} bytes`);
      else if (text.trim() !== '') past.take(number, readLine(text));
    }
  } catch (error) {
    past.note(`The transcript ${path} cannot be read: ${messageOf(error)}.`);
  } finally {
    await file?.close();
  }
  return past.result();
}

/** What has been read so far. What a compaction has replaced is let go. */
class Past {
  readonly #agentId: string | undefined;
  readonly #problems: string[] = [];
  #unlisted = 0;
  #messages: ReadMessage[] = [];
  #lines = 0;
  #lastUuid: string | undefined;
  #sessionId: string | undefined;
  #lastAssistantAt: number | undefined;
  #contextTokens: number | undefined;

  constructor(agentId: string | undefined) {
    this.#agentId = agentId;
  }

  take(number: number, line: ReadLine | string): void {
    if (typeof line === 'string') {
      this.skipHook(number, line);
      return;
    }
    this.#lines += 1;
    if (!this.#isPart(line)) return;
    for (const problem of line.problems) this.note(`Line ${number} ${problem}.`);
    this.#lastUuid = line.uuid ?? this.#lastUuid;
    this.#sessionId = line.sessionId ?? this.#sessionId;
    if (line.isClear) this.#forget();
    if (line.message !== undefined) this.#hear(line.message, line.at);
  }

  skipHook(number: number, problem: string): void {
    this.#lines += 1;
    this.note(`Line ${number} was left out: it ${problem}.`);
  }

  note(problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
    else this.#unlisted += 1;
  }

  result(): ReadTranscript {
    const more = this.#unlisted === 0 ? [] : [`There are ${this.#unlisted} more problems.`];
    return {
      messages: repairConversation(this.#messages),
      ...(this.#lastUuid !== undefined && { lastUuid: this.#lastUuid }),
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      lines: this.#lines,
      problems: [...this.#problems, ...more],
      ...(this.#lastAssistantAt !== undefined && { lastAssistantAt: this.#lastAssistantAt }),
      ...(this.#contextTokens !== undefined && { contextTokens: this.#contextTokens }),
    };
  }

  #isPart({ isSidechain, agentId }: ReadLine): boolean {
    return this.#agentId === undefined ? !isSidechain : agentId === this.#agentId;
  }

  #forget(): void {
    this.#messages = [];
    this.#contextTokens = undefined;
  }

  #hear(message: ReadMessage, at: number | undefined): void {
    // The summary counts, not the boundary before it: a boundary alone would leave nothing to go on from.
    if (message.isSummary) this.#forget();
    this.#messages.push(message);
    if (message.role !== 'assistant') return;
    this.#lastAssistantAt = at ?? this.#lastAssistantAt;
    this.#contextTokens = message.tokens ?? this.#contextTokens;
  }
}
