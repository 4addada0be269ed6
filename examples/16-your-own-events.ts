/** An event of your own: a deployment that hooks can look at, refuse or redirect, like any built-in event. */
import { command, defineEvent, Runner } from 'hookline';
import { z } from 'zod';

const PreDeploy = defineEvent({
  input: { environment: z.enum(['staging', 'production']), version: z.string() },
  answer: { ticket: z.string().optional() },
  matcherField: 'environment',
  blocks: true,
});

await using runner = new Runner({ events: { PreDeploy } });

runner.on('PreDeploy', { matcher: 'production' }, ({ version }) => {
  if (version.includes('-')) return { decision: 'block', reason: `${version} is a pre-release.` };
  return { hookSpecificOutput: { hookEventName: 'PreDeploy', ticket: 'OPS-12' } };
});
// Shell hooks get the same input as JSON.
runner.on('PreDeploy', command('grep -q \'"version":"0\\.\' && echo "not 1.0 yet" >&2 && exit 2 || exit 0'));

for (const [environment, version] of [
  ['staging', '1.3.0-rc.1'],
  ['production', '1.3.0-rc.1'],
  ['production', '1.3.0'],
  ['staging', '0.9.0'],
] as const) {
  const outcome = await runner.fire('PreDeploy', { environment, version });
  const [said] = outcome.hookSpecificOutputs;
  console.log(
    `${environment} ${version}: ${outcome.decision ?? 'go'}${outcome.reason ? `, ${outcome.reason}` : ''}${said ? ` (${said['ticket']})` : ''}`,
  );
}
