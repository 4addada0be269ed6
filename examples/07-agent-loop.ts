/** A whole session of the agent loop: all fifteen events fire, each at its point, and what hooks answer is obeyed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOOK_EVENTS, type HookInput, Runner } from 'hookline';
import { AgentLoop, scriptedModel } from 'hookline/agent';

const folder = mkdtempSync(join(tmpdir(), 'example-'));
const runner = new Runner({ cwd: folder });

// The person at the other end answers when hooks have been notified that somebody waits.
const notified = new Promise<void>((resolve) => {
  runner.on('Notification', () => resolve());
});

// A member of the team may be idle when it has looked twice; until then the lead waits for it.
let asked = 0;
const idle = new Promise<void>((resolve) => {
  runner.on('TeammateIdle', () => {
    asked += 1;
    if (asked === 1) return { decision: 'block', reason: 'look once more' };
    return resolve();
  });
});
runner.on('PostToolUse', { matcher: 'Agent', timeout: 30 }, () => idle);

// Some guards: nothing is deleted, tests come first, and the first stop is too early.
runner.on('PreToolUse', { matcher: 'Bash' }, (input) => {
  const { command } = input.tool_input;
  return command.startsWith('rm') ? { decision: 'block', reason: 'nothing is deleted here' } : undefined;
});
runner.on('Stop', (input) =>
  input.stop_hook_active ? undefined : { decision: 'block', reason: 'say what you did' },
);

// The log: one hook on every event.
for (const event of HOOK_EVENTS) {
  runner.on(event, (input: HookInput) => {
    const about: Record<string, unknown> = { ...input };
    const what = [
      'tool_name',
      'source',
      'reason',
      'trigger',
      'notification_type',
      'task_subject',
      'teammate_name',
    ];
    const who = about['agent_type'] === undefined ? '' : `(${about['agent_type']}) `;
    console.log(`  ${who}${event} ${what.map((key) => about[key] ?? '').join('')}`.trimEnd());
  });
}

const call = (name: string, input: object) => ({ tools: [{ name, input }] });

const scout = scriptedModel([{ text: 'I have looked around.' }, { text: 'Nothing new.' }]);
const model = scriptedModel([
  call('Bash', { command: 'rm -rf build' }),
  call('Bash', { command: 'false' }),
  call('TaskCreate', { subject: 'Write the greeting', description: 'in hello.txt' }),
  call('Write', { file_path: join(folder, 'hello.txt'), content: 'hello\n' }),
  call('TaskUpdate', { taskId: '1', status: 'completed' }),
  call('Agent', { description: 'look around', prompt: 'Look around.', subagent_type: 'scout', name: 'ada' }),
  { text: 'Done.' },
  { text: 'I wrote hello.txt.' },
  { when: 'summary', text: '<summary>hello.txt is written.</summary>' },
]);

const loop = new AgentLoop({
  model,
  hooks: runner,
  cwd: folder,
  transcripts: join(folder, 'sessions'),
  setup: 'init',
  team: 'builders',
  agents: { scout: { description: 'Looks around', prompt: 'You look around.', model: scout } },
  notify: { permissionAfter: 0.01 },
  canUseTool: async () => {
    await notified;
    return { behavior: 'allow' };
  },
});

for await (const message of loop.run('Write a greeting.')) {
  if (message.type === 'assistant')
    for (const block of message.message.content) if (block.type === 'text') console.log(block.text);
  if (message.type === 'user')
    for (const block of message.message.content)
      if (block.type === 'tool_result' && block.is_error) console.log(`refused or failed: ${block.content}`);
  if (message.type === 'result') console.log(`result: ${message.terminal_reason}, ${message.result}`);
}
for await (const message of loop.compact('Keep the file names.'))
  if (message.type === 'result') console.log(`result: ${message.terminal_reason}`);

await loop.close();
await runner.dispose();
rmSync(folder, { recursive: true });
