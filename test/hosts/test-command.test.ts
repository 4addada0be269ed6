/** `hookline test --host` and `hookline export`: one guard, proved and printed in the words of every host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { HOSTS, hostsNamed } from '../../src/dialects/hosts.js';
import { Runner } from '../../src/index.js';
import { type Folder, makeFolder } from './support.js';

const CONFIG = `
hooks:
  PreToolUse:
    - matcher: Bash
      hooks: [{ type: command, command: 'if grep -q HOSTILE; then echo R-no >&2; exit 2; fi', timeout: 5, onFailure: block }]
  TaskCompleted:
    - hooks: [{ type: command, command: 'echo R-task >&2; exit 2' }]
`;

const TESTS = `
tests:
  - { name: hostile, event: PreToolUse, set: { tool_input.command: echo HOSTILE }, expect: { decision: deny, reason: R-no } }
  - { name: harmless, event: PreToolUse, set: { tool_input.command: ls }, expect: { decision: none } }
  - { name: task, event: TaskCompleted, expect: { decision: deny } }
`;

let folder: Folder;
beforeAll(() => {
  folder = makeFolder({ 'hookline.yaml': CONFIG, 'hookline.test.yaml': TESTS });
});
afterAll(() => folder.remove());

const tried = hostsNamed(['all']).map(({ name }) => name);

describe('hook tests through hosts', () => {
  it('HS-22 one test file proves a guard in every host, with a matrix and JUnit', async () => {
    const args = ['test', '--host', 'all', '--trust-workspace', '--junit', 'report.xml'];
    const done = await folder.hookline(args);
    expect(done.exit, done.stdout + done.stderr).toBe(0);
    expect(done.stdout).toContain(`${tried.length * 2} passed, ${tried.length} without effect there`);
    expect(done.stdout).toMatch(/hostile +pass +pass +pass +pass/);
    expect(done.stdout).toMatch(/task +- +- +- +-/);
    const report = readFileSync(join(folder.project, 'report.xml'), 'utf8');
    for (const name of tried) expect(report).toContain(`name="${name}: hostile"`);
    expect(report).toContain(`skipped="${tried.length}"`);
  });

  it('HS-22 a guard that does not refuse fails in every host', async () => {
    const broken = makeFolder({
      'hookline.yaml': CONFIG.replace('exit 2; fi', 'exit 0; fi'),
      'hookline.test.yaml': TESTS,
    });
    const done = await broken.hookline([
      'test',
      '--host',
      'gemini',
      '--only',
      'hostile',
      '--trust-workspace',
    ]);
    expect(done.exit).toBe(1);
    expect(done.stdout).toContain('FAIL');
    broken.remove();
  });

  it('HS-22 HS-9 a matcher with the name of one host counts there alone, and hooks read which host it is', async () => {
    const narrow = makeFolder({
      'hookline.yaml': `
hooks:
  PreToolUse:
    - matcher: run_shell_command
      hooks: [{ type: command, command: 'grep -q "\\"host\\":\\"gemini\\"" || exit 0; echo R-no >&2; exit 2', timeout: 5 }]
`,
      'hookline.test.yaml': TESTS,
    });
    const args = ['test', '--host', 'gemini', '--host', 'qwen', '--host', 'codex', '--only', 'hostile'];
    const done = await narrow.hookline([...args, '--trust-workspace', '--format', 'json']);
    const { results } = JSON.parse(done.stdout) as { results: { host: string; passed: boolean }[] };
    // Qwen Code has the tool under this name too, but the hook looks for the other host.
    expect(results.map(({ host, passed }) => [host, passed])).toEqual([
      ['gemini', true],
      ['qwen', false],
      ['codex', false],
    ]);
    expect(done.exit).toBe(1);
    const report = (await narrow.hookline([...args, '--trust-workspace'])).stdout;
    expect(report.match(/No hook ran/g)).toHaveLength(1);
    narrow.remove();
  });
});

describe('export', () => {
  it.each(HOSTS.filter(({ shape }) => shape !== 'own').map((each) => [each.name, each] as const))(
    'HS-23 %s: what is printed guards there as it does here, and what cannot be expressed is listed',
    async (name, each) => {
      const done = await folder.call(['export', '--host', name, '--trust-workspace']);
      expect(done.stderr).toContain('hookline.yaml:5: `onFailure: block` does not hold');
      expect(done.stderr).toContain(`${each.title} has no event for TaskCompleted`);
      const place = each.files.find(
        ({ layer, format, isPersonal }) => layer === 'project' && format === 'json' && !isPersonal,
      );
      // A host without files of projects reads the user's.
      const file =
        place?.path.replace('*', 'exported') ??
        join('..', 'home', each.home.folder, each.files[0]?.path ?? '');
      folder.write(file, done.stdout);
      await using runner = new Runner({ cwd: folder.project, onWarning: () => {} });
      runner.use(await loadHostConfig(each, { cwd: folder.project, home: folder.home, trust: 'workspace' }));
      const call = { tool_name: 'Bash', tool_use_id: '1' };
      const hostile = await runner.fire('PreToolUse', { ...call, tool_input: { command: 'HOSTILE' } });
      expect(hostile.decision).toBe('deny');
      const read = await runner.fire('PreToolUse', {
        ...call,
        tool_name: 'Read',
        tool_input: { file_path: 'HOSTILE' },
      });
      expect(read.results).toEqual([]);
    },
  );

  it('HS-23 the answers that the host would ignore are named: nobody translates them there', async () => {
    const ignored = async (name: string): Promise<string> =>
      (await folder.call(['export', '--host', name, '--trust-workspace'])).stderr;
    const copilot = await ignored('copilot');
    // In its other spelling it reads the rest.
    expect(copilot).toContain(
      'lets the tool run if the command prints `decision: block`, `continue: false`; exit code 2',
    );
    const gemini = await ignored('gemini');
    expect(gemini).toContain('prints `permissionDecision: deny`, `permissionDecision: ask`, `updatedInput`;');
    expect(await ignored('codex')).toContain('prints `permissionDecision: ask`, `updatedInput`');
  });

  it('HS-23 what a failing command opens there is named, and a path that only counts from the folder of the project', async () => {
    const own = makeFolder({
      'hooks/no.sh': 'exit 1',
      'hookline.yaml': `
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - { type: command, command: sh hooks/no.sh, onFailure: block }
        - { type: command, command: ./hooks/no.sh }
        - { type: command, command: 'exit 0', onFailure: block }
`,
    });
    for (const { name, shape, spellings } of HOSTS.filter((each) => each.shape !== 'own')) {
      const { stderr } = await own.call(['export', '--host', name, '--trust-workspace']);
      const [ofScript = '', ofProgram = '', ofLine = ''] = [6, 7, 8].map((line) =>
        stderr
          .split('\n')
          .filter((each) => each.includes(`hookline.yaml:${line}:`))
          .join('\n'),
      );
      const event = spellings.flatMap(({ events }) => events['PreToolUse'] ?? [])[0];
      expect([name, shape, event?.name, ofScript]).toEqual([
        name,
        shape,
        event?.name,
        expect.stringMatching(/`onFailure: block` does not hold: .* goes on after a timeout/),
      ]);
      // What the host makes of exit code 1 is what its own reader says.
      const spelling = spellings.find(({ events }) => events['PreToolUse'] !== undefined);
      const exit = { kind: 'exited', exitCode: 1, signal: undefined, stdout: '', stderr: 'x' } as const;
      const refuses =
        event !== undefined &&
        spelling?.read(exit, { event: 'PreToolUse', own: event, input: {} }).refuse !== undefined;
      expect([name, ofScript.includes('fails with another exit code than 2')]).toEqual([name, !refuses]);
      expect(ofScript).toContain('`hooks/no.sh` is only found from');
      expect(ofProgram).toContain('`./hooks/no.sh` is only found from');
      expect(ofProgram).not.toContain('does not hold');
      expect(ofLine).not.toContain('is only found from');
    }
    own.remove();
  });

  it('HS-2 every host says what it cannot do', () => {
    for (const { name, cannot } of HOSTS) expect(cannot.length, name).toBeGreaterThan(0);
  });
});
