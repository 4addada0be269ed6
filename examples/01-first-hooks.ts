/** A small agent's day: three tool calls and an attempt to stop, each passed by the hooks. */
import { command, Runner } from 'hookline';

const runner = new Runner({ sessionId: 'demo', cwd: process.cwd() });

// A guard in TypeScript: typed by its event, so the answer below cannot be one of another event.
runner.on('PreToolUse', { matcher: 'Bash', name: 'no-recursive-delete' }, async (input) => {
  const { command: line } = input.tool_input;
  if (!/\brm\s+-rf\b/.test(line)) return;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'rm -rf is not for agents',
    },
  };
});

// A hook that rewrites: what it returns is what the tool gets, and what later hooks see.
runner.on('PreToolUse', { matcher: 'Write|Edit', name: 'keep-in-workspace' }, (input) => {
  const tool = input.tool_input;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput: { ...tool, file_path: `workspace/${tool.file_path}` },
    },
  };
});

// A hook that is a program: the input is JSON on its stdin, its exit code and stderr are the answer.
const testsFirst = 'grep -q \'"stop_hook_active":true\' || { echo "run the tests first" >&2; exit 2; }';
runner.on('Stop', command(testsFirst, { name: 'tests-first' }));

runner.messages.on('hook_response', (message) => {
  console.log(`    hook ${message.hook_name} was asked`);
});

const calls = [
  { tool_name: 'Bash', tool_input: { command: 'ls' } },
  { tool_name: 'Bash', tool_input: { command: 'rm -rf build' } },
  { tool_name: 'Write', tool_input: { file_path: 'notes.md', content: 'hello' } },
];

for (const [i, call] of calls.entries()) {
  console.log(`${call.tool_name} ${JSON.stringify(call.tool_input)}`);
  const outcome = await runner.fire('PreToolUse', { ...call, tool_use_id: `call-${i + 1}` });
  if (outcome.decision === 'deny') console.log(`  denied: ${outcome.reason}`);
  else console.log(`  runs with ${JSON.stringify(outcome.updatedInput ?? call.tool_input)}`);
}

for (const stop_hook_active of [false, true]) {
  console.log('the agent wants to stop');
  const outcome = await runner.fire('Stop', { stop_hook_active });
  console.log(outcome.decision === 'deny' ? `  goes on: ${outcome.reason}` : '  stops');
}

await runner.dispose();
