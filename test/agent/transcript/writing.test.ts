/** What the lines are like. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { addContext, addText } from '../../../src/agent/transcript/added-text.js';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import { assistantIn, assistantSays, deskTest, gave, said, used, userSays } from './support.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a line', () => {
  deskTest('TS-1: a message has the keys that hooks look for', async (desk) => {
    const before = Date.now();
    await desk.write({ type: 'user', content: 'Hello', promptId: 'prompt-1' });
    const [line] = desk.lines();
    expect(line).toEqual({
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: '/the/workspace',
      sessionId: 'session-1',
      version: '1.2.3',
      type: 'user',
      message: { role: 'user', content: 'Hello' },
      promptId: 'prompt-1',
      uuid: expect.stringMatching(UUID),
      timestamp: expect.any(String),
    });
    expect(Object.keys(line ?? {})[0]).toBe('parentUuid');
    const { timestamp = '' } = line ?? {};
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
  });

  deskTest('TS-1: what is not known is not there, and what no person wrote says so', async (desk) => {
    await desk.write(
      { type: 'user', content: 'Hello', promptId: undefined, isMeta: false },
      { type: 'user', content: 'A hook has this to say', isMeta: true },
      { type: 'user', content: [gave('t1')], toolUseResults: { t1: { stdout: 'done' } } },
    );
    const [plain, meta, result] = desk.lines();
    expect(plain).not.toHaveProperty('isMeta');
    expect(plain).not.toHaveProperty('promptId');
    expect(plain).not.toHaveProperty('toolUseResult');
    expect(meta).toMatchObject({ isMeta: true });
    expect(result).toMatchObject({ toolUseResult: { stdout: 'done' } });
  });

  deskTest('TS-1: a notice is a line of type system, and no message', async (desk) => {
    await desk.write(
      { type: 'system', subtype: 'informational', content: 'It is late' },
      { type: 'system', subtype: 'api_error', content: 'No answer', level: 'error' },
    );
    expect(desk.lines()).toMatchObject([
      { type: 'system', subtype: 'informational', content: 'It is late', level: 'info' },
      { type: 'system', subtype: 'api_error', content: 'No answer', level: 'error' },
    ]);
    expect(desk.lines()[0]).not.toHaveProperty('message');
    expect((await readTranscript(desk.path)).messages).toEqual([]);
  });

  deskTest('TS-1: the working directory is the one at the time', async (desk) => {
    let cwd: string | undefined = '/one';
    const transcript = await desk.open({
      cwd: () => {
        if (cwd === undefined) throw new Error('it has been removed');
        return cwd;
      },
    });
    void transcript.append(userSays(said('a')));
    cwd = '/two';
    void transcript.append(userSays(said('b')));
    cwd = undefined;
    await transcript.append(userSays(said('c')));
    expect(desk.lines().map((line) => line.cwd)).toEqual(['/one', '/two', '/two']);
  });

  deskTest(
    'TS-2: a user message that is one text is a string, any other is a list of blocks',
    async (desk) => {
      const several = [said('a'), said('b')];
      const result = [gave('t1')];
      await desk.write(
        userSays(said('a prompt')),
        { type: 'user', content: 'a string' },
        userSays(...several),
        userSays(...result),
        { type: 'user', content: '' },
      );
      expect(desk.lines().map((line) => (line.type === 'user' ? line.message.content : undefined))).toEqual([
        'a prompt',
        'a string',
        several,
        result,
        '',
      ]);
    },
  );

  deskTest('TS-3: an answer has an id, its model, why it ended and what it cost', async (desk) => {
    const content = [said('Looking.'), used('t1', { command: 'ls' })];
    await desk.write(
      {
        type: 'assistant',
        content,
        model: 'model-1',
        stopReason: 'tool_use',
        usage: { inputTokens: 12, outputTokens: 3 },
      },
      { type: 'assistant', content, model: 'model-1', id: 'msg_given' },
      { type: 'assistant', content: [said('one text')], model: 'model-1' },
    );
    const [first, second, third] = desk.lines().map(assistantIn);
    expect(first).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'message',
      role: 'assistant',
      model: 'model-1',
      content,
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 3,
      },
    });
    expect(second).toMatchObject({
      id: 'msg_given',
      stop_reason: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    expect(third?.content).toEqual([said('one text')]);
    expect(third?.id).not.toBe(first?.id);
  });

  deskTest('TS-3: the last text is found by the script that everybody writes', async (desk) => {
    await desk.write(
      userSays(said('say "role":"assistant" please')),
      assistantSays(said('First.'), used('t1')),
      userSays(gave('t1', '{"role":"assistant"}')),
      assistantSays(said('Last.')),
      { type: 'system', subtype: 'informational', content: 'end' },
    );
    const script = `grep '"role":"assistant"' "$1" | tail -n 1`;
    const found = execFileSync('sh', ['-c', script, 'sh', desk.path], { encoding: 'utf8' });
    expect(JSON.parse(found).message.content[0].text).toBe('Last.');
  });

  deskTest('TS-4: a compaction is a boundary and the summary as a user message', async (desk) => {
    await desk.write(
      userSays(said('long story')),
      { type: 'compaction', trigger: 'auto', preTokens: 1234, summary: 'short story' },
      userSays(said('go on')),
    );
    const [before, boundary, summary, after] = desk.lines();
    expect(boundary).toMatchObject({
      type: 'system',
      subtype: 'compact_boundary',
      content: expect.any(String),
      compactMetadata: { trigger: 'auto', preTokens: 1234 },
      parentUuid: null,
      logicalParentUuid: before?.uuid,
    });
    expect(summary).toMatchObject({
      type: 'user',
      message: { role: 'user', content: 'short story' },
      isCompactSummary: true,
      parentUuid: boundary?.uuid,
    });
    expect(after?.parentUuid).toBe(summary?.uuid);
    expect(after).not.toHaveProperty('isCompactSummary');
  });

  deskTest('TS-4: a conversation that is cleared begins anew', async (desk) => {
    await desk.write(userSays(said('a')), { type: 'clear' }, userSays(said('b')));
    const [before, cleared, after] = desk.lines();
    expect(cleared).toMatchObject({
      type: 'system',
      subtype: 'conversation_cleared',
      parentUuid: null,
      logicalParentUuid: before?.uuid,
    });
    expect(after?.parentUuid).toBe(cleared?.uuid);
  });

  deskTest('TS-5: the lines of a subagent are a sidechain and name it', async (desk) => {
    const transcript = await desk.open({ agentId: 'agent-7' });
    await transcript.append(userSays(said('look for it')));
    await transcript.append(assistantSays(said('found')));
    expect(desk.lines()).toMatchObject([
      { isSidechain: true, agentId: 'agent-7' },
      { isSidechain: true, agentId: 'agent-7' },
    ]);
  });

  deskTest('TS-6: every line names the one before, also across sessions', async (desk) => {
    await desk.write(userSays(said('a')), assistantSays(said('b')));
    const { lastUuid } = await readTranscript(desk.path);
    const resumed = await desk.open({ parentUuid: lastUuid });
    await resumed.append(userSays(said('c')));
    const lines = desk.lines();
    expect(lines.map(({ parentUuid }) => parentUuid)).toEqual([null, lines[0]?.uuid, lines[1]?.uuid]);
    expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(3);
  });

  deskTest('TS-7: nothing in a line ends it, in any language', async (desk) => {
    const text = 'a\nb\r\nc\u2028d\u2029e\u0085f\u000bg\u000ch\u001ci\u0000j\ud800k🦜';
    await desk.write(userSays(said(text), said(text)));
    // What Python's splitlines takes for an end of line; the last one is ours.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(desk.text().split(/[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/)).toHaveLength(2);
    expect((await readTranscript(desk.path)).messages).toEqual([
      { role: 'user', content: [said(text), said(text)] },
    ]);
  });
});

describe('what hooks add', () => {
  const context = addContext({
    hookName: 'SessionStart:startup',
    hookEvent: 'SessionStart',
    content: ['The branch is main.', 'Two issues are open.'],
  });

  deskTest('TS-32: has a line of its own, and the line of the prompt has only the prompt', async (desk) => {
    await desk.write({
      type: 'user',
      content: [context, addText('An item.'), said('Hello')],
      promptId: 'prompt-1',
    });
    const [attachment, item, prompt] = desk.lines();
    expect(attachment).toMatchObject({
      type: 'attachment',
      attachment: {
        type: 'hook_additional_context',
        hookName: 'SessionStart:startup',
        hookEvent: 'SessionStart',
        content: ['The branch is main.', 'Two issues are open.'],
      },
    });
    expect(item).toMatchObject({ type: 'user', message: { content: 'An item.' }, isMeta: true });
    expect(prompt).toMatchObject({ type: 'user', message: { content: 'Hello' }, promptId: 'prompt-1' });
    expect(prompt).not.toHaveProperty('isMeta');
    expect((await readTranscript(desk.path)).messages).toEqual([
      { role: 'user', content: [said(context.text), said('An item.'), said('Hello')] },
    ]);
  });

  deskTest('TS-32: each result of a tool has its line, with what hooks saw of it', async (desk) => {
    await desk.write(userSays(said('Go')), assistantSays(used('t1'), used('t2'), used('t3')), {
      type: 'user',
      content: [gave('t1'), gave('t2'), gave('t3'), context],
      toolUseResults: { t1: { stdout: 'one' }, t3: 'three' },
    });
    const lines = desk.lines().slice(2);
    expect(lines).toMatchObject([
      { message: { content: [gave('t1')] }, toolUseResult: { stdout: 'one' } },
      { message: { content: [gave('t2')] } },
      { message: { content: [gave('t3')] }, toolUseResult: 'three' },
      { type: 'attachment' },
    ]);
    expect(lines[1]).not.toHaveProperty('toolUseResult');
    expect((await readTranscript(desk.path)).messages.at(-1)?.content).toEqual([
      gave('t1'),
      gave('t2'),
      gave('t3'),
      said(context.text),
    ]);
  });

  deskTest('TS-32: follows the results of tools, whose line has only them', async (desk) => {
    await desk.write(userSays(said('Go')), assistantSays(used('t1')), {
      type: 'user',
      content: [gave('t1'), context],
      toolUseResults: { t1: { stdout: 'done' } },
    });
    const [, , result, attachment] = desk.lines();
    expect(result).toMatchObject({ message: { content: [gave('t1')] }, toolUseResult: { stdout: 'done' } });
    expect(attachment?.type).toBe('attachment');
    expect((await readTranscript(desk.path)).messages.at(-1)).toEqual({
      role: 'user',
      content: [gave('t1'), said(context.text)],
    });
  });

  deskTest('TS-33: lines of Claude Code are read too; other attachments are no messages', async (desk) => {
    const attach = (attachment: object) => JSON.stringify({ type: 'attachment', sessionId: 's', attachment });
    mkdirSync(dirname(desk.path), { recursive: true });
    writeFileSync(
      desk.path,
      [
        attach({ type: 'hook_additional_context', hookEvent: 'UserPromptSubmit', content: ['It is late.'] }),
        attach({ type: 'hook_additional_context', content: 'not a list' }),
        attach({ type: 'skill_listing', content: 'a list of skills' }),
        JSON.stringify({ type: 'user', sessionId: 's', message: { role: 'user', content: 'Hello' } }),
      ].join('\n'),
    );
    const { messages, problems } = await readTranscript(desk.path);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [said(expect.stringContaining('UserPromptSubmit hook adds: It is late.')), said('Hello')],
      },
    ]);
    expect(problems).toEqual([]);
  });
});

describe('the branch', () => {
  deskTest('TS-34: a line has the git branch of the directory at the time', async (desk) => {
    const repository = join(desk.directory, 'repository');
    const inner = join(repository, 'inner');
    mkdirSync(inner, { recursive: true });
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe' });
    const transcript = await desk.open({ cwd: () => inner });
    await transcript.append(userSays(said('before')));
    git('init', '-q', '-b', 'feature/one');
    await transcript.append(userSays(said('in a repository')));
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('worktree', 'add', '-q', '-b', 'two', join(desk.directory, 'second'));
    git('checkout', '-q', '--detach');
    await transcript.append(userSays(said('on no branch')));
    const second = await desk.open({ cwd: () => join(desk.directory, 'second') });
    await second.append(userSays(said('in a worktree')));
    expect(desk.lines().map((line) => line.gitBranch)).toEqual([undefined, 'feature/one', 'HEAD', 'two']);
  });

  deskTest('TS-34: a repository that is none, or a pipe in it, is passed over', async (desk) => {
    const directory = join(desk.directory, 'odd');
    mkdirSync(join(directory, '.git'), { recursive: true });
    execFileSync('mkfifo', [join(directory, '.git', 'HEAD')]);
    const transcript = await desk.open({ cwd: () => directory });
    await transcript.append(userSays(said('a')));
    expect(desk.lines()[0]).not.toHaveProperty('gitBranch');
  });
});
