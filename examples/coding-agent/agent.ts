/** A coding agent in a folder of its own, with the hooks of this folder's hookline.yaml. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHooklineConfig, Runner } from 'hookline';
import { AgentLoop, modelFromEnvironment, scriptedModel } from 'hookline/agent';

// The agent works on a copy, so that you can run this again.
const cwd = mkdtempSync(join(tmpdir(), 'coding-agent-'));
cpSync(import.meta.dirname, cwd, { recursive: true });
writeFileSync(join(cwd, 'sum.mjs'), 'export const sum = (a, b) => a - b;\n');
writeFileSync(
  join(cwd, 'sum.test.mjs'),
  `import assert from 'node:assert';\nimport { sum } from './sum.mjs';\nassert.equal(sum(2, 3), 5, 'sum(2, 3) is not 5');\n`,
);

const script = scriptedModel([
  { tools: [{ name: 'Bash', input: { command: 'rm -rf node_modules' } }] },
  { tools: [{ name: 'Read', input: { file_path: '.env' } }] },
  { tools: [{ name: 'Bash', input: { command: 'echo key=sk-abcdef123456' } }] },
  { tools: [{ name: 'Write', input: { file_path: 'NOTES.md', content: 'sum is wrong   \n' } }] },
  { text: 'I found the mistake.' },
  {
    tools: [
      { name: 'Write', input: { file_path: 'sum.mjs', content: 'export const sum = (a, b) => a + b;\n' } },
    ],
  },
  { text: 'sum adds now.' },
]);
const model = (await modelFromEnvironment(process.env)) ?? script;

await using runner = new Runner({ cwd });
// The folder is ours, so its hooks are approved as they are.
runner.use(await loadHooklineConfig({ cwd, trust: 'workspace' }));

await using loop = new AgentLoop({
  model,
  hooks: runner,
  cwd,
  transcripts: false,
  permissions: { mode: 'acceptEdits', allow: ['Bash(echo *)', 'Bash(rm *)', 'Bash(node *)'] },
});
for await (const message of loop.run('Mend sum.')) {
  if (message.type === 'assistant' || message.type === 'user') {
    for (const block of message.message.content) {
      if (typeof block === 'string') continue;
      if (block.type === 'text') console.log(`${message.type}: ${block.text}`);
      if (block.type === 'tool_use') console.log(`calls ${block.name} ${JSON.stringify(block.input)}`);
      if (block.type === 'tool_result') console.log(`  -> ${String(block.content)}`);
    }
  }
  if (message.type === 'result') console.log(`${message.terminal_reason}: ${message.result}`);
}
console.log(JSON.stringify(readFileSync(join(cwd, 'NOTES.md'), 'utf8')));
rmSync(cwd, { recursive: true });
