/** `hookline init`: writes a config file with one working guard, and a test of it. */
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HookError, messageOf } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { approveOwn } from '../add/approve.js';
import { defineCommand } from '../command.js';
import type { Printer } from '../printer.js';
import { type StarterFiles, starterFiles } from '../starter.js';

export const command = defineCommand({
  usage: 'init [options]',
  about:
    'Writes a starter file with one guard that refuses `rm -rf`, the guard itself, and a test of it; and approves that guard,\nso that it runs. Existing files are never changed.',
  args: [0, 0],
  options: {
    claude: {
      type: 'boolean',
      help: 'Write .claude/settings.json, which Claude Code reads too, instead of hookline.yaml.',
    },
  },
  exits: EXIT_CODES.filter(([code]) => code !== EXIT.refused),
  examples: [
    ['hookline init', 'then:'],
    [`hookline fire PreToolUse --set tool_input.command='rm -rf /'`, 'the guard denies it, exit code 2'],
    ['hookline test', 'the test of the guard passes'],
  ],
  async run({ options, io, cwd }) {
    const { printer } = io;
    const files = starterFiles(options.claude);
    if (await isWritten(cwd, files)) {
      for (const name of Object.keys(files.content)) printer.line(`unchanged  ${name}`);
      printer.line(
        'The files are as `init` writes them. Whether the hook is approved here, hookline trust shows.',
      );
    } else {
      await writeStarter(cwd, files, printer);
    }
    printer.line('\nNow try:');
    for (const line of [
      `npx hookline fire PreToolUse --set tool_input.command='rm -rf /'`,
      'npx hookline test',
      `npx hookline run -p '! rm -rf build'`,
      'npx hookline check',
    ]) {
      printer.line(`  ${printer.paint.bold(line)}`);
    }
    return EXIT.ok;
  },
});

/** Whether all files are there, as `init` writes them: a second call is no mistake. */
async function isWritten(cwd: string, { content }: StarterFiles): Promise<boolean> {
  const written = Object.entries(content).map(async ([name, text]) => {
    const there = await readFile(join(cwd, name), 'utf8').catch(() => undefined);
    return there === text;
  });
  return (await Promise.all(written)).every(Boolean);
}

async function writeStarter(cwd: string, files: StarterFiles, printer: Printer): Promise<void> {
  await refuseToOverwrite(cwd, Object.keys(files.content));
  for (const [name, text] of Object.entries(files.content)) {
    await write(join(cwd, name), text);
    printer.line(`${printer.paint.green('wrote')}  ${name}`);
  }
  await approveOwn(cwd, join(cwd, files.config));
  printer.line(`${printer.paint.green('approved')} the hook in ${files.config}, as it is now`);
}

async function refuseToOverwrite(cwd: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const there = await access(join(cwd, name)).then(
      () => true,
      () => false,
    );
    if (!there) continue;
    throw new HookError(
      'invalid_option',
      `${name} already exists, so nothing was written. Move it away, or add hooks to it: hookline schema config.`,
    );
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw new HookError('invalid_option', `${file} cannot be written: ${messageOf(error)}.`);
  }
}
