/** Answers of hosts in which exit code 2 refuses, stderr is the reason, and plain text on stdout is context. */
import type { Exit } from '../fault.js';
import { NO_REASON, text } from './answers.js';
import type { Answer, ReadContext, Written } from './host.js';

export function readExit(exit: Exit, { own }: ReadContext): Answer {
  if (exit.exitCode === 2) return { refuse: text(exit.stderr.trim()) ?? NO_REASON };
  const said = exit.exitCode === 0 ? text(exit.stdout.trim()) : undefined;
  return said !== undefined && own.can.includes('context') ? { context: said } : {};
}

export function writeExit({ refuse, context }: Answer): Written {
  if (refuse !== undefined) return { exit: 2, stderr: refuse };
  return { exit: 0, text: context };
}
