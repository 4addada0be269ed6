/** `hookline check`: finds mistakes in hook files before anything runs. */

import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { hintParentConfig } from '../check/parent-config-hint.js';
import { findProblems, type Problem } from '../check/problems.js';
import { showProblems } from '../check/show-problems.js';
import { knownTools } from '../check/tools.js';
import { defineCommand } from '../command.js';
import { type Annotation, annotate, FORMAT_OPTIONS, formatOf } from '../format.js';
import { reportUntrusted } from '../hooks/inactive.js';
import { disposeHooks, HOOK_OPTIONS, type LoadedHooks, loadHooks } from '../hooks/load.js';

export const command = defineCommand({
  usage: 'check [options]',
  about:
    'Finds mistakes in the hook files of this folder before anything runs: broken files, unknown events, matchers that match\nnothing, scripts that are missing or cannot be executed, permission rules that have no effect, hooks that are\nnot approved. Runs nothing.',
  args: [0, 0],
  options: {
    ...FORMAT_OPTIONS,
    strict: { type: 'boolean', help: 'Fail on warnings too.' },
    tool: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'A tool of your agent, for matchers that name it.',
    },
    ...HOOK_OPTIONS,
  },
  exits: [
    [EXIT.ok, 'every hook that is defined can run'],
    [EXIT.failed, 'there are errors or hooks that are not approved; with --strict, warnings'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline check', 'for people'],
    ['hookline check --trust-workspace --no-user --strict', 'in CI, to check the checkout only'],
    ['hookline check --format github', 'in GitHub Actions, with annotations in the pull request'],
  ],
  async run({ options, io, cwd }) {
    const format = formatOf(options);
    // A check fires nothing, so stubs replace the services of the application.
    const brought = { model: { complete: never }, mcp: { callTool: never } };
    const hooks = await loadHooks(cwd, options, brought);
    try {
      const problems = await findProblems(hooks, knownTools(options.tool));
      const failed = problems.some(
        ({ inactive, severity }) => inactive || (options.strict && severity !== 'info'),
      );
      if (format === 'json') io.printer.json(toJson(hooks, problems, !failed));
      else {
        showProblems(hooks, problems, io.printer);
        if (format === 'github') annotate(problems.map(annotationOf), cwd, io.printer);
        reportUntrusted(hooks, io);
        await hintParentConfig(hooks, (text) => io.printer.note(text));
      }
      return failed ? EXIT.failed : EXIT.ok;
    } finally {
      await disposeHooks(hooks);
    }
  },
});

function never(): Promise<never> {
  return Promise.reject(new Error('a check fires nothing'));
}

function annotationOf({ severity, source, code, message, hint }: Problem): Annotation {
  const { file, line, column } = source;
  const text = hint === undefined ? message : `${message}\nTo do: ${hint}`;
  return { severity, file, line, column, title: `hookline: ${code}`, message: text };
}

function toJson(hooks: LoadedHooks, problems: readonly Problem[], ok: boolean): unknown {
  return { ok, hooks: hooks.entries.length, problems };
}
