/** Removes keys from what a command printed, before the model reads it. */
import { readFileSync } from 'node:fs';

const { tool_response } = JSON.parse(readFileSync(0, 'utf8'));
const text = JSON.stringify(tool_response);
const redacted = text.replaceAll(/\b(sk|ghp|xox[bp])[-_][\w-]{8,}/g, '[secret]');
if (redacted !== text) {
  const updatedToolOutput = JSON.parse(redacted);
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }));
}
