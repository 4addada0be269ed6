// Prints every case as a table: undisturbed time (10th percentile), median, and the ratio to the case's limit.
import { writeFileSync } from 'node:fs';
import { callbackCases } from './callbacks.mjs';
import { commandCases } from './commands.mjs';
import { print } from './measure.mjs';

const quick = process.argv.includes('--quick');
const json = process.argv.find((argument) => argument.startsWith('--json='))?.slice('--json='.length);

const results = [];
for await (const result of callbackCases(quick ? 10 : 40)) {
  print(result);
  results.push(result);
}
for await (const result of commandCases(quick ? 3 : 12)) {
  print(result);
  results.push(result);
}
if (json !== undefined) {
  writeFileSync(
    json,
    `${JSON.stringify({ node: process.version, date: new Date().toISOString(), results }, null, 2)}\n`,
  );
}
