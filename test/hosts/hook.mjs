// A hook that writes down what it got, and then does what the plan says: node hook.mjs <folder> <label>
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const [folder, label] = process.argv.slice(2);
let text = '';
for await (const chunk of process.stdin) text += chunk;
const plan = JSON.parse(readFileSync(`${folder}/plan.json`, 'utf8'));
const before = readFileSync(`${folder}/ran.jsonl`, 'utf8')
  .split('\n')
  .filter((line) => line.includes(`"label":"${label}"`));
appendFileSync(
  `${folder}/ran.jsonl`,
  `${JSON.stringify({ label, stdin: JSON.parse(text), env: process.env })}\n`,
);
const steps = plan[label] ?? {};
const step = (Array.isArray(steps) ? steps[before.length] : steps) ?? {};
if (step.delayMs) await setTimeout(step.delayMs);
if (step.stderr) process.stderr.write(step.stderr);
if (step.stdout) process.stdout.write(step.stdout);
if (step.json) process.stdout.write(JSON.stringify(step.json));
process.exitCode = step.exit ?? 0;
