/** A guard that is a program, and that blocks also when it breaks. */
import { fileURLToPath } from 'node:url';
import { command, Runner } from 'hookline';

const guard = fileURLToPath(new URL('guards/protect-env.sh', import.meta.url));
const runner = new Runner();

runner.on(
  'PreToolUse',
  { matcher: 'Read|Edit|Write', onFailure: 'block' },
  command(guard, { args: [], timeout: 5 }),
);

for (const file_path of ['src/index.ts', '.env']) {
  const { decision, reason } = await runner.fire('PreToolUse', {
    tool_name: 'Read',
    tool_input: { file_path },
    tool_use_id: `read-${file_path}`,
  });
  console.log(`${file_path}: ${decision ?? 'no objection'}${reason ? ` (${reason})` : ''}`);
}

runner.on('PreToolUse', { matcher: 'Bash', onFailure: 'block' }, command('no-such-guard', { args: [] }));
const broken = await runner.fire('PreToolUse', {
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'bash-1',
});
console.log(`a guard that is missing: ${broken.decision}, ${broken.failures[0]?.kind}`);

await runner.dispose();
