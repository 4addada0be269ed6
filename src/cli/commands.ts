/** The list of commands. Each module is loaded only when its command is called. */
import { EXIT } from '../base/exit-codes.js';
import type { Command } from './command.js';

export interface CommandEntry {
  readonly name: string;
  /** As shown in the overview. */
  readonly usage: string;
  readonly summary: string;
  /** How it exits after a mistake in its command line, if its caller is no person. */
  readonly mistakes?: number;
  load(): Promise<{ readonly command: Command }>;
}

/** In the order of the overview. A command is one entry here and one module that exports `command`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    usage: 'run [prompt]',
    summary: 'Run an agent in this folder, with its hooks.',
    load: () => import('./run/command.js'),
  },
  {
    name: 'serve',
    usage: 'serve [prompt]',
    summary: 'Run an agent with a web page to watch it and to talk to it.',
    load: () => import('./serve/command.js'),
  },
  {
    name: 'team',
    usage: 'team <file> <question>',
    summary: 'Run the agents of a MassGen file on one question: answers, votes, a winner.',
    load: () => import('./team/command.js'),
  },
  {
    name: 'init',
    usage: 'init',
    summary: 'Write a starter file with one working hook.',
    load: () => import('./commands/init.js'),
  },
  {
    name: 'add',
    usage: 'add [guard...]',
    summary: 'Copy ready guards with their tests into this folder, or list them.',
    load: () => import('./commands/add.js'),
  },
  {
    name: 'fire',
    usage: 'fire <Event>',
    summary: 'Fire one event at the hooks of this folder and show what they do.',
    load: () => import('./commands/fire.js'),
  },
  {
    name: 'explain',
    usage: 'explain <Event> [subject]',
    summary: 'Show which hooks would run, in which order, and why the others would not.',
    load: () => import('./commands/explain.js'),
  },
  {
    name: 'list',
    usage: 'list [Event]',
    summary: 'List all hooks and where they are defined.',
    load: () => import('./commands/list.js'),
  },
  {
    name: 'check',
    usage: 'check',
    summary: 'Find mistakes in hook files before anything runs, for people and for CI.',
    load: () => import('./commands/check.js'),
  },
  {
    name: 'doctor',
    usage: 'doctor',
    summary: 'Show what Claude Code has here and at home, what of it runs, and what to do.',
    load: () => import('./commands/doctor.js'),
  },
  {
    name: 'trust',
    usage: 'trust [status|approve|revoke]',
    summary: 'Show and choose which hooks of this folder may run.',
    load: () => import('./commands/trust.js'),
  },
  {
    name: 'test',
    usage: 'test [file...]',
    summary: 'Run hook test files.',
    load: () => import('./commands/test.js'),
  },
  {
    name: 'install',
    usage: 'install --host <name>',
    summary: "Make another host obey this folder's hooks: Gemini CLI, Codex, Qwen Code, Copilot.",
    load: () => import('./commands/install.js'),
  },
  {
    name: 'uninstall',
    usage: 'uninstall --host <name>',
    summary: 'Restore what install changed.',
    load: () => import('./commands/uninstall.js'),
  },
  {
    name: 'status',
    usage: 'status',
    summary: 'Show which hosts obey these hooks, and what they cannot do.',
    load: () => import('./commands/status.js'),
  },
  {
    name: 'export',
    usage: 'export --host <name>',
    summary: "Print these hooks as another host's own configuration.",
    load: () => import('./commands/export.js'),
  },
  {
    name: 'hook',
    usage: 'hook --host <name>',
    summary: "As a hook of another host: answer its events with this folder's hooks.",
    // Most hosts let a tool run after any other exit code.
    mistakes: EXIT.refused,
    load: () => import('./commands/hook.js'),
  },
  {
    name: 'record',
    usage: 'record <file>',
    summary: 'As a hook: append the input on stdin to a recording.',
    load: () => import('./commands/record.js'),
  },
  {
    name: 'replay',
    usage: 'replay <file>',
    summary: "Fire a recording again and show what today's hooks decide differently.",
    load: () => import('./commands/replay.js'),
  },
  {
    name: 'audit',
    usage: 'audit verify <file>',
    summary: 'Check that nobody has changed an audit log.',
    load: () => import('./commands/audit.js'),
  },
  {
    name: 'samples',
    usage: 'samples [Event]',
    summary: 'Print sample inputs, as hooks read them.',
    load: () => import('./commands/samples.js'),
  },
  {
    name: 'schema',
    usage: 'schema [Event|config|tests]',
    summary: 'Print JSON Schemas of inputs, answers and files.',
    load: () => import('./commands/schema.js'),
  },
];
