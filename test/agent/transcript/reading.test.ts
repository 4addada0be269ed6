/** What is read of a transcript, and what is told about it. */
import { describe, expect } from 'vitest';
import type { NewLine } from '../../../src/agent/transcript/line.js';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import {
  assistant,
  assistantSays,
  deskTest,
  gave,
  messagesIn,
  put,
  said,
  theirs,
  used,
  user,
  userSays,
} from './support.js';

const compaction = (summary: string): NewLine => ({
  type: 'compaction',
  trigger: 'manual',
  preTokens: 9,
  summary,
});

describe('where a conversation begins', () => {
  deskTest('TS-16: the conversation begins with the last summary', async (desk) => {
    await desk.write(
      userSays(said('a')),
      assistantSays(used('t1')),
      compaction('first'),
      assistantSays(said('b')),
      compaction('second'),
      assistantSays(used('t2')),
      userSays(gave('t2')),
    );
    expect(await messagesIn(desk)).toEqual([user(said('second')), assistant(used('t2')), user(gave('t2'))]);
  });

  deskTest('TS-16: what was cleared is not remembered', async (desk) => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    await desk.write(
      userSays(said('a')),
      { type: 'assistant', content: [used('t1')], model: 'm', usage },
      { type: 'clear' },
    );
    const cleared = await readTranscript(desk.path);
    expect(cleared).toMatchObject({ messages: [], lines: 3, lastUuid: desk.lines()[2]?.uuid });
    expect(cleared).not.toHaveProperty('contextTokens');
    await desk.write(userSays(said('b')));
    expect(await messagesIn(desk)).toEqual([user(said('b'))]);
  });

  deskTest(
    'TS-16: a boundary without its summary does not count: there would be nothing to go on from',
    async (desk) => {
      await desk.write(userSays(said('a')), assistantSays(said('b')), compaction('lost'));
      const lines = desk.text().trimEnd().split('\n');
      put(desk, ...lines.slice(0, -1));
      expect(await messagesIn(desk)).toEqual([user(said('a')), assistant(said('b'))]);
    },
  );
});

describe('lines that are not a message of this conversation', () => {
  deskTest('TS-17: what cannot be read is left out, and named by its number', async (desk) => {
    put(
      desk,
      theirs('user', 'a'),
      '{"type":"assistant","message":',
      '',
      '[1]',
      '\u0000\u0000',
      theirs('assistant', undefined),
      { type: 'user', message: 'hello' },
      theirs('assistant', 'b'),
    );
    const { messages, problems, lines } = await readTranscript(desk.path);
    expect(messages).toEqual([user(said('a')), assistant(said('b'))]);
    expect(problems).toEqual([
      expect.stringMatching(/^Line 2 was left out: it is not JSON .* begins with "\{/),
      expect.stringMatching(/^Line 4 was left out: it is not a JSON object/),
      expect.stringMatching(/^Line 5 was left out: it is not JSON/),
      expect.stringMatching(/^Line 6 is of type assistant, but has no message with content/),
      expect.stringMatching(/^Line 7 is of type user/),
    ]);
    expect(lines).toBe(7);
  });

  deskTest('TS-17: a file of noise is no endless list of problems', async (desk) => {
    put(desk, ...Array.from({ length: 1000 }, () => 'noise'));
    const { problems, lines } = await readTranscript(desk.path);
    expect(lines).toBe(1000);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe('There are 900 more problems.');
  });

  deskTest(
    'TS-17: a file that is not there, and one that is none, is a problem and no messages',
    async (desk) => {
      const missing = await readTranscript(desk.path);
      expect(missing).toEqual({ messages: [], lines: 0, problems: [expect.stringContaining('ENOENT')] });
      const directory = await readTranscript(desk.directory);
      expect(directory).toEqual({
        messages: [],
        lines: 0,
        problems: [expect.stringContaining('not a regular file')],
      });
    },
  );

  deskTest('TS-17: lines of unknown types are passed over', async (desk) => {
    put(
      desk,
      { type: 'summary', summary: 'A title', leafUuid: 'x' },
      { type: 'file-history-snapshot', snapshot: {} },
      {},
      { type: 7 },
      theirs('user', 'a'),
      { type: 'system', subtype: 'informational', content: 'b' },
    );
    expect(await readTranscript(desk.path)).toEqual({ messages: [user(said('a'))], lines: 6, problems: [] });
  });

  deskTest(
    'TS-18: what subagents said is not part of the conversation, but can be read for itself',
    async (desk) => {
      const main = await desk.open();
      const agent = await desk.open({ agentId: 'agent-7' });
      await main.append(userSays(said('a')));
      await agent.append(userSays(said('look')));
      await agent.append(assistantSays(said('found')));
      const other = await desk.open({ agentId: 'agent-8' });
      await other.append(userSays(said('nothing')));
      await main.append(assistantSays(said('b')));
      const [first, , found, , last] = desk.lines();
      expect(await readTranscript(desk.path)).toMatchObject({
        messages: [user(said('a')), assistant(said('b'))],
        lastUuid: last?.uuid,
        lines: 5,
      });
      expect(last?.parentUuid).toBe(first?.uuid);
      expect(await readTranscript(desk.path, { agentId: 'agent-7' })).toMatchObject({
        messages: [user(said('look')), assistant(said('found'))],
        lastUuid: found?.uuid,
      });
    },
  );
});

describe('what else is known', () => {
  deskTest(
    'TS-24: the last line, the session, when the assistant spoke last, how large the context was',
    async (desk) => {
      const usage = {
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 1000,
        output_tokens: 5,
      };
      put(
        desk,
        theirs('user', 'a', { uuid: 'u1', sessionId: 's1', timestamp: '2026-01-01T10:00:00.000Z' }),
        theirs(
          'assistant',
          'b',
          { uuid: 'u2', sessionId: 's2', timestamp: '2026-01-01T10:00:01.000Z' },
          { usage },
        ),
        theirs(
          'assistant',
          'c',
          { timestamp: 'yesterday' },
          { usage: { input_tokens: 0, output_tokens: 'many' } },
        ),
        theirs('user', 'd', { uuid: 'u3', timestamp: '2026-01-01T10:00:02.000Z' }),
        { type: 'system', subtype: 'informational', content: 'e', uuid: 'u4' },
        '{"uuid":"u5"',
      );
      expect(await readTranscript(desk.path)).toMatchObject({
        lastUuid: 'u4',
        sessionId: 's2',
        lastAssistantAt: Date.parse('2026-01-01T10:00:01.000Z'),
        contextTokens: 1115,
      });
    },
  );

  deskTest(
    'TS-24: after a compaction the context is of unknown size until the model has answered',
    async (desk) => {
      const answer: NewLine = {
        type: 'assistant',
        content: [said('b')],
        model: 'm',
        usage: { inputTokens: 20, outputTokens: 3 },
      };
      await desk.write(userSays(said('a')), answer);
      expect((await readTranscript(desk.path)).contextTokens).toBe(23);
      await desk.write(compaction('in short'));
      const compacted = await readTranscript(desk.path);
      expect(compacted).not.toHaveProperty('contextTokens');
      expect(compacted.lastAssistantAt).toBeGreaterThan(0);
      await desk.write(answer);
      expect((await readTranscript(desk.path)).contextTokens).toBe(23);
    },
  );

  deskTest('TS-24: what is not known is not there', async (desk) => {
    put(desk, theirs('user', 'a'));
    expect(await readTranscript(desk.path)).toEqual({ messages: [user(said('a'))], lines: 1, problems: [] });
  });
});
