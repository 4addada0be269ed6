/** What a refusal says where nobody can be asked. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentLoop, type AgentLoopOptions, defineTool, scriptedModel } from '../../src/agent/index.js';
import { makeWorkspace } from './workspace.js';

const { root, elsewhere } = makeWorkspace();

const send = defineTool({
  name: 'Send',
  description: 'Sends.',
  input: z.object({}),
  run: async () => ({ ok: true, content: 'sent', response: 'sent' }),
});

/** What the model reads of the one call that it makes. */
async function refusal(
  name: string,
  input: object,
  options: Partial<AgentLoopOptions> = {},
): Promise<string> {
  const model = scriptedModel([{ tools: [{ name, input: { ...input } }] }, { text: 'Done.' }]);
  const loop = new AgentLoop({ model, cwd: root, transcripts: false, ...options });
  const denied: string[] = [];
  for await (const message of loop.run('Go.'))
    if (message.type === 'system' && message.subtype === 'permission_denied') denied.push(message.message);
  await loop.close();
  return denied.join();
}

describe('a call without a person to ask', () => {
  it('PM-34: of a tool of your own: a rule, a person to ask, or a tool that only reads', async () => {
    expect(await refusal('Send', {}, { tools: [send] })).toBe(
      'Send needs approval: no rule allows it. It was denied, because there is no user to ask. To allow it, on the command line: --allowedTools "Send", or the permissions of a settings file; in code: permissions: { allow: ["Send"] }, or canUseTool to ask a user, or readOnly: true on the tool if it changes nothing.',
    );
  });

  it('PM-34: says what asks for least, and what it says is enough', async () => {
    const line = { command: 'make all' };
    const said = await refusal('Bash', line);
    expect(said).toContain('--allowedTools with a rule for Bash');
    expect(said).not.toContain('make all');
    expect(said).not.toContain('readOnly');
    expect(await refusal('Bash', line, { permissions: { allow: ['Bash(make all)'] } })).toBe('');
    const file = { file_path: `${root}/a.txt`, content: '' };
    const mode = await refusal('Write', file);
    expect(mode).toContain('--permission-mode acceptEdits');
    expect(mode).toContain('permissions: { mode: "acceptEdits" }');
    expect(await refusal('Write', file, { permissions: { mode: 'acceptEdits' } })).toBe('');
    const outside = await refusal('Write', { file_path: `${elsewhere}/new.txt`, content: '' });
    expect(outside).toContain(`--add-dir ${JSON.stringify(elsewhere)} --permission-mode acceptEdits`);
  });

  it('PM-34: where a rule asks, no other rule helps', async () => {
    const said = await refusal(
      'Send',
      {},
      { tools: [send], permissions: { ask: ['Send'], allow: ['Send'] } },
    );
    expect(said).toContain('the rule `Send` asks for it.');
    expect(said).toContain('canUseTool');
    expect(said).not.toContain('--allowedTools');
  });
});
