/** Keeps the agent from stopping while the tests of the project fail. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync('sum.test.mjs')) {
  const { status, stderr } = spawnSync(process.execPath, ['sum.test.mjs'], { encoding: 'utf8' });
  if (status !== 0) {
    const [, failure] = /^AssertionError.*?: (.*)$/m.exec(stderr) ?? [];
    console.error(`The tests fail: ${failure}. Mend the code before you stop.`);
    process.exit(2);
  }
}
