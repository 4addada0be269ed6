/** The exit codes of the command line, and their descriptions in `--help`. */

export const EXIT = {
  ok: 0,
  failed: 1,
  refused: 2,
  usage: 64,
  bug: 70,
  config: 78,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, 'success: allowed, or no hook decided; no problems found'],
  [
    EXIT.failed,
    'a hook failed, a file is broken, a check or a test found problems, or something is not trusted',
  ],
  [EXIT.refused, 'a hook denied or blocked'],
  [EXIT.usage, 'wrong usage: an unknown command, option or event, or an invalid input'],
  [EXIT.bug, 'an internal error of hookline'],
  [
    EXIT.config,
    'guards of the user, the administrator or a folder that you have approved cannot be read, so nothing was started',
  ],
  [EXIT.hungUp, 'ended by SIGHUP'],
  [EXIT.interrupted, 'interrupted by Ctrl-C'],
  [EXIT.terminated, 'ended by SIGTERM'],
];
