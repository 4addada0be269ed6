/** The long form of the comparison with bash: `tsx test/shell/fuzz.ts [programs] [seed]`. */
import fc from 'fast-check';
import { tracingBash } from './bash.js';
import { overlooked } from './overlooked.js';
import { anyProgram } from './programs.js';

const [programs = 5000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const bash = tracingBash();
if (bash === undefined) throw new Error('There is no bash here to compare with.');
const counts = { programs, seed, read: 0, overlooked: 0 };
for (const program of fc.sample(anyProgram, { numRuns: programs, seed })) {
  const found = overlooked(program, bash.ran);
  if (found === undefined) continue;
  counts.read += 1;
  if (found.length === 0) continue;
  counts.overlooked += 1;
  console.log(`${found.join(' ')}: ${JSON.stringify(program)}`);
}
bash.dispose();
console.log(JSON.stringify(counts));
process.exitCode = counts.overlooked === 0 ? 0 : 1;
