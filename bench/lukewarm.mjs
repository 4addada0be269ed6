// One contender in a process of its own: `node lukewarm.mjs <name>` writes what its 100th fire takes, in nanoseconds.
import { input } from './inputs.mjs';

const name = process.argv[2];
const approve = async () => ({ decision: 'approve' });

async function contender() {
  if (name.startsWith('bare')) return () => approve(input);
  if (name.startsWith('hookline')) {
    const { Runner } = await import('../dist/index.js');
    const runner = new Runner({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [approve] }] } });
    return () => runner.fire('PreToolUse', input);
  }
  const { callbackPeer } = await import('./peers.mjs');
  return (await callbackPeer(name, 1, approve)).run;
}

const run = await contender();
for (let i = 0; i < 95; i++) await run();
/** The fires around the 100th: a single one is too short for a clock. */
const times = [];
for (let i = 0; i < 11; i++) {
  const start = process.hrtime.bigint();
  await run();
  times.push(Number(process.hrtime.bigint() - start));
}
process.stdout.write(String(times.sort((a, b) => a - b)[5]));
process.exit();
