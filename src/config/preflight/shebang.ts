/** Checks the first line of a script: its interpreter must exist, and the system must be able to read the line. */
import { basename, resolve } from 'node:path';
import { isShell } from '../../shell/interpreters.js';
import { beginningOf, findProgram, inspect, type Variables } from './find-program.js';
import { error, type PreflightProblem, warning } from './problem.js';

const BOM = '\xef\xbb\xbf';
const ANOTHER_NAME = 'Install it, or name another interpreter in the first line.';

/** `direct`: started without a shell, which would run a script without a first line itself. */
export async function checkScript(
  path: string,
  start: { readonly cwd: string; readonly env: Variables; readonly direct: boolean },
): Promise<PreflightProblem[]> {
  const beginning = await beginningOf(path);
  // A NUL means a compiled program.
  if (beginning === undefined || beginning.includes('\0')) return [];
  if (beginning.startsWith(`${BOM}#!`)) return [hiddenShebang(path, beginning)];
  const line = beginning.split('\n', 1)[0] ?? '';
  const words = line.slice(2).trim();
  if (!line.startsWith('#!') || words === '') return start.direct ? [noShebang(path)] : [];
  if (line.endsWith('\r')) {
    return [
      error(
        'crlf_script',
        `The script '${path}' has Windows line endings, so the system looks for '${words}' with a carriage return at its end. Save it with LF line endings.`,
      ),
    ];
  }
  return checkInterpreter(path, words, start);
}

/** Most systems then run it with /bin/sh, which works for shell scripts only. */
function hiddenShebang(path: string, beginning: string): PreflightProblem {
  const [, name = ''] = /#!.*?(\w+)[ \t\r]*$/m.exec(beginning) ?? [];
  return (isShell(name) ? warning : error)(
    'bad_shebang',
    `The script '${path}' begins with a byte order mark, which hides its first line from the system. Save it as UTF-8 without a byte order mark.`,
  );
}

function noShebang(path: string): PreflightProblem {
  return warning(
    'bad_shebang',
    `The script '${path}' has no first line that names its interpreter; some systems refuse to start it, others run it with /bin/sh. Begin it with a line such as '#!/bin/sh' or '#!/usr/bin/env node'.`,
  );
}

async function checkInterpreter(
  path: string,
  words: string,
  start: { readonly cwd: string; readonly env: Variables },
): Promise<PreflightProblem[]> {
  const [, interpreter = '', argument = ''] = /^(\S+)[ \t]*(.*)$/s.exec(words) ?? [];
  const found = await inspect(resolve(start.cwd, interpreter));
  if (found.kind === 'missing' && !interpreter.startsWith('/')) {
    return [
      error(
        'bad_shebang',
        `The first line of '${path}' names '${interpreter}', which is not a full path, so it depends on the working directory. Write '#!/usr/bin/env ${interpreter}'.`,
      ),
    ];
  }
  if (found.kind === 'missing' || found.kind === 'not-a-file' || found.kind === 'plain') {
    const what = found.kind === 'missing' ? 'does not exist' : 'is not a program that can be executed';
    return [
      error(
        'missing_interpreter',
        `The script '${path}' needs '${interpreter}', which ${what}. ${ANOTHER_NAME}`,
      ),
    ];
  }
  return basename(interpreter) === 'env' ? checkEnv(path, argument, start) : [];
}

async function checkEnv(
  path: string,
  argument: string,
  { cwd, env }: { readonly cwd: string; readonly env: Variables },
): Promise<PreflightProblem[]> {
  const split = /^-S[ \t]*(.*)$/s.exec(argument);
  const words = (split?.[1] ?? argument).trim();
  // Options, assignments, quotes and variables are interpreted by env; do not guess.
  if (words === '' || /^-|['"$\\]/.test(words) || /^[^ \t]*=/.test(words)) return [];
  const [program = '', ...more] = words.split(/[ \t]+/);
  if (!split && more.length > 0 && process.platform === 'linux') {
    return [
      error(
        'bad_shebang',
        `The first line of '${path}' gives env '${words}' as the name of one program. Write '#!/usr/bin/env -S ${words}'.`,
      ),
    ];
  }
  const found = await findProgram(program, cwd, env);
  if (found.kind === 'executable' || found.kind === 'unknown') return [];
  return [
    error(
      'missing_interpreter',
      `The script '${path}' needs '${program}', which is not in the PATH of the hook. ${ANOTHER_NAME}`,
    ),
  ];
}
