/** Deny a tool call. */
import { deny, Runner } from 'hookline';

const runner = new Runner();

runner.on('PreToolUse', { matcher: 'mcp__*|Bash', onFailure: 'block' }, ({ tool_name }) =>
  deny(`${tool_name} is switched off today`),
);

const outcome = await runner.fire('PreToolUse', {
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'call-1',
});

console.log(outcome.decision, '-', outcome.reason); // deny - Bash is switched off today
