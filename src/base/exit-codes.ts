/** What the exit code of the command tells: the numbers, and the words that `--help` has for them. */

export const EXIT = {
  ok: 0,
  failed: 1,
  refused: 2,
  usage: 64,
  bug: 70,
  config: 78,
  interrupted: 130,
} as const;

export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, 'fine: allowed, or no hook has an opinion; nothing to complain about'],
  [
    EXIT.failed,
    'a hook failed, a file is broken, a check or a test found something, something is not trusted',
  ],
  [EXIT.refused, 'a hook denied or blocked'],
  [EXIT.usage, 'the call is wrong: an unknown command, option or event, an input that does not fit'],
  [EXIT.bug, 'a mistake of hookline itself'],
  [EXIT.config, 'settings that protect cannot be read, so nothing was started'],
  [EXIT.interrupted, 'ended by Ctrl-C'],
];
