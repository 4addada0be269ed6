/** Hooks that answer later: from a promise, or as a command that first says `{"async": true}`. */
import { command, Runner } from 'hookline';

const runner = new Runner();

runner.on('PostToolUse', { name: 'lint' }, () => ({
  async: true,
  asyncTimeout: 5,
  result: Promise.resolve({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'The linter found nothing.' },
  }),
}));

runner.on(
  'PostToolUse',
  command(
    'echo \'{"async": true, "asyncTimeout": 5}\'; ' +
      'echo \'{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "The tests pass."}}\'',
    { name: 'test' },
  ),
);

const outcome = await runner.fire('PostToolUse', {
  tool_name: 'Edit',
  tool_input: { file_path: 'src/index.ts' },
  tool_response: { ok: true },
  tool_use_id: 'call-1',
});

console.log(outcome.additionalContext.join('\n'));
await runner.dispose();
