/** Deny a tool call. */
import { Runner } from 'hookline';

const runner = new Runner();

runner.on('PreToolUse', { matcher: 'mcp__*|Bash' }, async (input) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: `${input.tool_name} is switched off today`,
  },
}));

const outcome = await runner.fire('PreToolUse', {
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'call-1',
});

console.log(outcome.decision, '-', outcome.reason);
