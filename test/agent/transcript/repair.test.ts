/** How messages that were kept become a conversation that a model accepts. */
import { describe, expect } from 'vitest';
import type { ContentBlock } from '../../../src/agent/models/port.js';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import { LOST_BEGINNING, LOST_RESULT } from '../../../src/agent/transcript/repair.js';
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

const lost = (id: string): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: LOST_RESULT,
  is_error: true,
});

describe('messages', () => {
  deskTest('TS-19: lines of the same answer are one message', async (desk) => {
    const part = (content: unknown) => theirs('assistant', [content], {}, { id: 'msg_1', model: 'claude-x' });
    put(
      desk,
      theirs('user', 'a'),
      part({ type: 'thinking', thinking: 'hm', signature: 's' }),
      part(said('Looking.')),
      part(used('t1')),
      part(used('t2')),
      theirs('user', [gave('t2')]),
      theirs('user', [gave('t1')]),
      theirs('assistant', [said('Done.')], {}, { id: 'msg_2' }),
    );
    expect(await messagesIn(desk)).toEqual([
      user(said('a')),
      assistant(
        { type: 'thinking', thinking: 'hm', signature: 's', provider: 'anthropic', model: 'claude-x' },
        said('Looking.'),
        used('t1'),
        used('t2'),
      ),
      user(gave('t2'), gave('t1')),
      assistant(said('Done.')),
    ]);
    expect((await readTranscript(desk.path)).problems).toEqual([]);
  });

  deskTest('TS-19: what the user says in a row is one message, and so are answers in a row', async (desk) => {
    await desk.write(
      userSays(said('a')),
      userSays(said('b'), said('c')),
      assistantSays(said('d')),
      assistantSays(said('e'), used('t1')),
      userSays(gave('t1')),
      { type: 'user', content: 'a hook says', isMeta: true },
    );
    expect(await messagesIn(desk)).toEqual([
      user(said('a'), said('b'), said('c')),
      assistant(said('d'), said('e'), used('t1')),
      user(gave('t1'), said('a hook says')),
    ]);
  });

  deskTest(
    'TS-20: a tool use without a result is answered: the session ended before it finished',
    async (desk) => {
      await desk.write(userSays(said('a')), assistantSays(used('t1'), used('t2')), userSays(gave('t2')));
      expect(await messagesIn(desk)).toEqual([
        user(said('a')),
        assistant(used('t1'), used('t2')),
        user(lost('t1'), gave('t2')),
      ]);
      expect(LOST_RESULT).toContain('the session ended before it finished');
    },
  );

  deskTest('TS-20: at the end, before the next prompt, and between two answers', async (desk) => {
    await desk.write(
      userSays(said('a')),
      assistantSays(used('t1')),
      assistantSays(used('t2')),
      userSays(said('b')),
      assistantSays(used('t3')),
    );
    expect(await messagesIn(desk)).toEqual([
      user(said('a')),
      assistant(used('t1')),
      user(lost('t1')),
      assistant(used('t2')),
      user(lost('t2'), said('b')),
      assistant(used('t3')),
      user(lost('t3')),
    ]);
  });

  deskTest('TS-20: a result without its tool use is dropped, and so is a second one', async (desk) => {
    await desk.write(
      userSays(gave('t0'), said('a')),
      assistantSays(said('b')),
      userSays(gave('t1')),
      assistantSays(used('t2')),
      userSays(gave('t2', 'first')),
      userSays(gave('t2', 'second'), gave('t3')),
      assistantSays(said('c')),
      userSays(gave('t2', 'late')),
    );
    expect(await messagesIn(desk)).toEqual([
      user(said('a')),
      assistant(said('b'), used('t2')),
      user(gave('t2', 'first')),
      assistant(said('c')),
    ]);
  });

  deskTest('TS-29: an id that comes again later is another tool use, and gets another id', async (desk) => {
    await desk.write(
      userSays(said('a')),
      assistantSays(used('t1')),
      userSays(gave('t1', 'one')),
      assistantSays(used('t1')),
      userSays(gave('t1', 'two')),
      assistantSays(used('t1')),
    );
    expect(await messagesIn(desk)).toEqual([
      user(said('a')),
      assistant(used('t1')),
      user(gave('t1', 'one')),
      assistant(used('t1_2')),
      user(gave('t1_2', 'two')),
      assistant(used('t1_3')),
      user(lost('t1_3')),
    ]);
  });

  deskTest('TS-29: two calls with the same id in one answer keep their results, in order', async (desk) => {
    await desk.write(
      userSays(said('a')),
      assistantSays(used('t1'), used('t2'), used('t1')),
      userSays(gave('t1', 'one'), gave('t2', 'two'), gave('t1', 'three'), gave('t1', 'nobody asked')),
    );
    expect(await messagesIn(desk)).toEqual([
      user(said('a')),
      assistant(used('t1'), used('t2'), used('t1_2')),
      user(gave('t1', 'one'), gave('t2', 'two'), gave('t1_2', 'three')),
    ]);
  });

  deskTest('TS-29: a call that another line of the same answer repeats is one call', async (desk) => {
    const part = (content: unknown) => theirs('assistant', [content], {}, { id: 'msg_1' });
    put(desk, theirs('user', 'a'), part(used('t1')), part(used('t1')), theirs('user', [gave('t1')]));
    expect(await messagesIn(desk)).toEqual([user(said('a')), assistant(used('t1')), user(gave('t1'))]);
  });

  deskTest(
    'TS-21: a conversation whose beginning cannot be read begins with a message that says so',
    async (desk) => {
      await desk.write(assistantSays(used('t1')), userSays(gave('t1')), assistantSays(said('done')));
      expect(await messagesIn(desk)).toEqual([
        user(said(LOST_BEGINNING)),
        assistant(used('t1')),
        user(gave('t1')),
        assistant(said('done')),
      ]);
    },
  );

  deskTest(
    'TS-22: of a block only what the port knows is kept; what it has no place for is told',
    async (desk) => {
      put(
        desk,
        theirs('user', [{ ...said('a'), cache_control: {} }, { type: 'image', source: {} }, 5]),
        theirs('assistant', [
          { type: 'tool_use', id: 't1', name: 'Bash', caller: 'x' },
          gave('t9'),
          { type: 'text' },
        ]),
        theirs('user', [{ type: 'tool_result', tool_use_id: 't1', is_error: null }, used('t8')]),
      );
      const { messages, problems } = await readTranscript(desk.path);
      expect(messages).toEqual([user(said('a')), assistant(used('t1')), user(gave('t1', ''))]);
      expect(problems).toEqual([
        'Line 1 has content that a conversation cannot hold: a block of type "image".',
        'Line 1 has content that a conversation cannot hold: 5 in place of a block.',
        'Line 2 has content that a conversation cannot hold: a block of type "text".',
      ]);
    },
  );

  deskTest('TS-22: the blocks of a result stay as they are, if they are blocks', async (desk) => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
    const result = (content: unknown) => ({
      type: 'tool_result',
      tool_use_id: 't1',
      content,
      is_error: true,
    });
    put(
      desk,
      theirs('user', 'a'),
      theirs('assistant', [used('t1')]),
      theirs('user', [result([image, said('b')])]),
    );
    expect((await messagesIn(desk))[2]).toEqual({ role: 'user', content: [result([image, said('b')])] });
    put(
      desk,
      theirs('user', 'a'),
      theirs('assistant', [used('t1')]),
      theirs('user', [result([{ type: 'text' }])]),
    );
    expect((await messagesIn(desk))[2]).toEqual(user(lost('t1')));
  });
});
