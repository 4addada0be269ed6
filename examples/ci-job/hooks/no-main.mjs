/** Agents open pull requests; they do not push to main. */
import { readFileSync } from 'node:fs';

const { tool_input } = JSON.parse(readFileSync(0, 'utf8'));
if (/\bgit\s+push\b.*\bmain\b/.test(tool_input.command)) {
  console.error('Push a branch and open a pull request.');
  process.exit(2);
}
