/** Refuses shell commands that destroy work. */
import { readFileSync } from 'node:fs';

const { tool_input } = JSON.parse(readFileSync(0, 'utf8'));
const FORBIDDEN = [
  [/\brm\s+(-\w*[rR]\w*f|-\w*f\w*[rR]|--recursive)/, 'Do not delete recursively. Name the files.'],
  [/\bgit\s+reset\s+--hard\b/, 'Do not throw away changes. Use git stash.'],
  [/\bgit\s+push\b.*\s(-f|--force)\b(?!-with-lease)/, 'Do not push by force.'],
];
const [, reason] = FORBIDDEN.find(([pattern]) => pattern.test(tool_input.command)) ?? [];
if (reason !== undefined) {
  console.error(reason);
  process.exit(2);
}
