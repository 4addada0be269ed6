/** The tour: an agent on the embedded model, hooks that hold it back and lead it on, a person who breaks in. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { command, Runner } from 'hookline';
import { AgentLoop, scriptedModel } from 'hookline/agent';
import { createMailbox, registerBuiltInHooks } from 'hookline/injection';

const folder = mkdtempSync(join(tmpdir(), 'hookline-tour-'));
const say = (who: string, what: string): void => console.log(`${who.padEnd(8)} ${what}`);

// Four hooks: a guard in TypeScript, a guard in shell, a rewrite, and one that does not let the agent stop too early.
const runner = new Runner({ cwd: folder });
const mailbox = createMailbox();
const { human } = registerBuiltInHooks(runner, { mailbox });

runner.on('PreToolUse', { matcher: 'Bash', name: 'no-deleting' }, ({ tool_input }) => {
  const { command: line } = tool_input;
  return line.startsWith('rm') ? { decision: 'block', reason: 'nothing is deleted here' } : undefined;
});
runner.on(
  'PreToolUse',
  { matcher: 'Write', name: 'no-secrets', onFailure: 'block' },
  command('if grep -q password; then echo "no passwords in files" >&2; exit 2; fi'),
);
runner.on('PreToolUse', { matcher: 'Write', name: 'into-the-folder' }, ({ tool_input }) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'allow',
    updatedInput: {
      ...tool_input,
      file_path: join(folder, basename(tool_input.file_path)),
    },
  },
}));
runner.on('Stop', { name: 'say-what-you-did' }, ({ stop_hook_active }) =>
  stop_hook_active ? undefined : { decision: 'block', reason: 'say in one sentence what you did' },
);

// The embedded model says what its script says; anthropicModel() and openaiModel() take its place.
const model = scriptedModel([
  { text: 'I begin with a clean slate.', tools: [{ name: 'Bash', input: { command: 'rm -rf build' } }] },
  {
    text: 'Then without.',
    tools: [{ name: 'Write', input: { file_path: 'hello.txt', content: 'Hello, world.\n' } }],
  },
  {
    text: 'In Welsh, then.',
    tools: [{ name: 'Write', input: { file_path: 'hello.txt', content: 'Helo, fyd.\n' } }],
  },
  { text: 'Done.' },
  { text: 'I wrote a greeting in Welsh.' },
]);
const loop = new AgentLoop({ model, hooks: runner, mailbox, cwd: folder, transcripts: false });

let results = 0;
say('you', 'Greet the world.');
for await (const message of loop.run('Greet the world.')) {
  if (message.type === 'assistant')
    for (const block of message.message.content) {
      if (block.type === 'text') say('agent', block.text);
      if (block.type === 'tool_use') say('tool', `${block.name} ${JSON.stringify(block.input)}`);
    }
  if (message.type === 'system' && message.subtype === 'hook_response' && message.output !== '')
    say('hook', `${message.hook_name}: ${message.output.trim()}`);
  if (message.type === 'system' && message.subtype === 'permission_denied') say('refused', message.message);
  if (message.type === 'user')
    for (const block of message.message.content) {
      if (block.type === 'text') say('hook', block.text.replaceAll('\n', ' '));
      if (block.type === 'tool_result' && !block.is_error) {
        say('result', 'the file is written');
        results += 1;
        if (results === 1) await human.say({ content: 'Better in Welsh!', label: 'you' });
      }
    }
  if (message.type === 'system' && message.subtype === 'injection')
    say('you', `"Better in Welsh!" is ${message.state}`);
  if (message.type === 'result') say('end', `${message.terminal_reason}: ${message.result}`);
}
say('file', readFileSync(join(folder, 'hello.txt'), 'utf8').trim());

await loop.close();
await runner.dispose();
rmSync(folder, { recursive: true });
