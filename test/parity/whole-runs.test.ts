/** A handful of the recorded scenarios, played from beginning to end; `npm run parity` plays them all. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { oracle } from './recording.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const SCENARIOS = [
  'base-mcp-tool',
  'pre-context-plus-deny',
  'pre-updated-input-partial',
  'post-updated-tool-output',
  'sessionstart-resume',
  'stop-one-block-one-stop',
  'subagent-start-context',
  'task-completed-exit2',
];

it.skipIf(!oracle.present)(
  'PA-2: a scenario that is not listed agrees with the recording of the whole run, one that is listed differs',
  { timeout: 120_000 },
  () => {
    expect(existsSync(new URL('../../dist/cli/main.js', import.meta.url)), 'built by npm run build').toBe(
      true,
    );
    const run = spawnSync(process.execPath, ['test/parity/whole-runs.mjs', ...SCENARIOS], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(run.status, run.stdout).toBe(0);
    expect(run.stdout).toContain('Every difference is listed');
  },
);
