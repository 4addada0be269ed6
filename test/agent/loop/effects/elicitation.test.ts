import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { connectMcpServers } from '../../../../src/agent/tools/mcp.js';
import { command, type Runner } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { textOf } from '../session/support.js';
import { runLoop } from '../support/run-loop.js';

watchProcess();

const SERVER = fileURLToPath(new URL('../../../fixtures/tools/mcp-server.mjs', import.meta.url));
const accept = (project: string) => ({ action: 'accept', content: { project } }) as const;

/** What the server was answered. */
async function ask(register: (runner: Runner) => void, more: Partial<AgentLoopOptions> = {}) {
  const servers = await connectMcpServers({ tickets: { command: process.execPath, args: [SERVER] } });
  onTestFinished(() => servers.close());
  const { requests, messages } = await runLoop({
    turns: [{ tools: [{ name: 'mcp__tickets__ask', input: {} }] }, { text: 'Done.' }],
    prepare: ({ runner }) => register(runner),
    options: { tools: servers.tools, permissions: { mode: 'bypassPermissions' }, ...more },
  });
  const result = textOf(requests.at(-1)?.messages.at(-1));
  return { answer: JSON.parse(JSON.parse(result)[0].text) as unknown, messages };
}

describe('a question of an MCP server', () => {
  it('LO-54: is declined if nobody answers it', async () => {
    expect((await ask(() => {})).answer).toEqual({ action: 'decline' });
  });

  it('LO-54: is answered by a hook, of a shell too; a matcher sees the name of the server', async () => {
    const seen: unknown[] = [];
    const said = JSON.stringify({
      hookSpecificOutput: { hookEventName: 'Elicitation', ...accept('bridge') },
    });
    const { answer } = await ask((runner) => {
      runner.on('Elicitation', { matcher: 'other' }, () => ({ decision: 'block' }));
      runner.on('Elicitation', { matcher: 'tickets' }, command(`cat > /dev/null; echo '${said}'`));
      runner.on('ElicitationResult', (input) => void seen.push(input));
    });
    expect(answer).toEqual(accept('bridge'));
    expect(seen).toMatchObject([{ mcp_server_name: 'tickets', ...accept('bridge') }]);
  });

  it('LO-54: is answered by a person, who is notified, if no hook does; the result may be replaced', async () => {
    const notified: unknown[] = [];
    const onElicitation: AgentLoopOptions['onElicitation'] = ({ message }) =>
      message === 'Which project?' ? accept('tower') : undefined;
    const watch = (runner: Runner) =>
      void runner.on('Notification', ({ notification_type }) => void notified.push(notification_type));
    expect((await ask(watch, { onElicitation })).answer).toEqual(accept('tower'));
    expect(notified).toContain('elicitation_dialog');
    const replace = (runner: Runner) =>
      void runner.on('ElicitationResult', () => ({
        hookSpecificOutput: { hookEventName: 'ElicitationResult', ...accept('dam') },
      }));
    expect((await ask(replace, { onElicitation })).answer).toEqual(accept('dam'));
    const refuse = (runner: Runner) => void runner.on('ElicitationResult', () => ({ decision: 'block' }));
    expect((await ask(refuse, { onElicitation })).answer).toEqual({ action: 'decline' });
  });

  it('LO-54: is declined if the person cannot be asked, with a warning', async () => {
    const onElicitation = () => Promise.reject(new Error('no terminal'));
    const { answer, messages } = await ask(() => {}, { onElicitation });
    expect(answer).toEqual({ action: 'decline' });
    expect(messages).toContainEqual(
      expect.objectContaining({ level: 'warning', content: expect.stringContaining('no terminal') }),
    );
  });
});
