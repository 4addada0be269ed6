/** A directory for transcripts, short ways to write and read them, and what every conversation must be like. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ContentBlock, ModelMessage } from '../../../src/agent/models/port.js';
import type { AssistantLine, NewLine, TranscriptLine } from '../../../src/agent/transcript/line.js';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import {
  openTranscript,
  type Transcript,
  type TranscriptOptions,
} from '../../../src/agent/transcript/transcript.js';
import { FAST_FOLDER } from '../../support/fast-folder.js';
import { openFiles, until } from '../../support/process-harness.js';

export interface Desk {
  readonly directory: string;
  /** Where the transcript is; nothing is there yet. */
  readonly path: string;
  /** What transcripts of this desk have complained about. */
  readonly complaints: string[];
  open(options?: Partial<TranscriptOptions>): Promise<Transcript>;
  /** Opens, appends and closes. */
  write(...entries: readonly NewLine[]): Promise<void>;
  lines(): readonly TranscriptLine[];
  text(): string;
}

export function deskTest(name: string, body: (desk: Desk) => Promise<void>): void {
  test(name, async () => {
    const directory = mkdtempSync(join(FAST_FOLDER, 'hookline-transcript-'));
    const openBefore = openFiles();
    try {
      await body(deskIn(directory));
      await until(() => openFiles() <= openBefore, 'that no file is left open');
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
}

export function deskIn(directory: string, name = 'session.jsonl'): Desk {
  const path = join(directory, 'sessions', name);
  const complaints: string[] = [];
  const text = (): string => readFileSync(path, 'utf8');
  const open: Desk['open'] = (options) =>
    openTranscript({
      path,
      sessionId: 'session-1',
      version: '1.2.3',
      cwd: () => '/the/workspace',
      onProblem: (problem) => complaints.push(problem),
      ...options,
    });
  return {
    directory,
    path,
    complaints,
    open,
    write: async (...entries) => {
      const transcript = await open();
      for (const entry of entries) void transcript.append(entry);
      await transcript.close();
    },
    lines: () =>
      text()
        .split('\n')
        .filter((line) => line !== '')
        .map((line): TranscriptLine => JSON.parse(line)),
    text,
  };
}

export const said = (text: string): ContentBlock => ({ type: 'text', text });
export const used = (id: string, input: unknown = {}): ContentBlock => ({
  type: 'tool_use',
  id,
  name: 'Bash',
  input,
});
export const gave = (id: string, content = 'done'): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

export const userSays = (...content: readonly ContentBlock[]): NewLine & ModelMessage => ({
  type: 'user',
  role: 'user',
  content,
});

export const assistantSays = (...content: readonly ContentBlock[]): NewLine & ModelMessage => ({
  type: 'assistant',
  role: 'assistant',
  model: 'model-1',
  content,
});

export const messageOf = ({ role, content }: ModelMessage): ModelMessage => ({ role, content });

export function assistantIn(line: TranscriptLine | undefined): AssistantLine['message'] {
  if (line?.type !== 'assistant') throw new Error('this line is not of type assistant');
  return line.message;
}

/** All texts of the conversation, in order. */
export const texts = async (path: string): Promise<string[]> =>
  (await readTranscript(path)).messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );

export const user = (...content: readonly ContentBlock[]): ModelMessage => ({ role: 'user', content });
export const assistant = (...content: readonly ContentBlock[]): ModelMessage => ({
  role: 'assistant',
  content,
});

/** A line as another program might have written it. */
export const theirs = (
  type: 'user' | 'assistant',
  content: unknown,
  more: object = {},
  message: object = {},
): object => ({ type, message: { role: type, content, ...message }, ...more });

/** A file of such lines, or of anything else. */
export function put(desk: Desk, ...lines: readonly (string | object)[]): void {
  mkdirSync(dirname(desk.path), { recursive: true });
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(desk.path, `${text.join('\n')}\n`);
}

/** What a resumed conversation starts from. */
export async function messagesIn(desk: Desk): Promise<readonly ModelMessage[]> {
  const { messages } = await readTranscript(desk.path);
  expectSound(messages);
  return messages;
}

/** Begins with the user, roles alternate, nothing is empty, every tool use has exactly one result, right after it. */
export function expectSound(messages: readonly ModelMessage[]): void {
  for (const [i, { role, content }] of messages.entries()) {
    expect(role).toBe(i % 2 === 0 ? 'user' : 'assistant');
    expect(content).not.toEqual([]);
    const uses =
      messages[i - 1]?.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])) ?? [];
    const results = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    expect(results.toSorted()).toEqual(role === 'user' ? uses.toSorted() : []);
    expect(new Set(uses).size).toBe(uses.length);
  }
  const last = messages.at(-1);
  expect(last?.role === 'assistant' && last.content.some(({ type }) => type === 'tool_use')).toBe(false);
}
