/** The situations that hostile lines are tried in: what is allowed and forbidden there, and how harm shows. */
import type { PermissionOptions } from '../../../src/permissions/permissions.js';

export interface Situation {
  readonly options: PermissionOptions;
  /** `changes`: something in the folder is another. `removes`: the file `victim` is gone. `shows`: the secret is printed. */
  readonly harm: 'changes' | 'removes' | 'shows';
}

export const SITUATIONS = {
  /** No rule at all. The modes `plan` and `dontAsk` are tried too. */
  default: { options: {}, harm: 'changes' },
  /** No rule either; the secret is the variable `API_KEY`. */
  environment: { options: {}, harm: 'shows' },
  acceptEdits: { options: { mode: 'acceptEdits', deny: ['Read(./.env)'] }, harm: 'shows' },
  allowGit: { options: { allow: ['Bash(git *)'] }, harm: 'changes' },
  allowFind: { options: { allow: ['Bash(find *)'] }, harm: 'changes' },
  allowScripts: { options: { allow: ['Bash(npm run *)'] }, harm: 'changes' },
  allowBelow: { options: { allow: ['Bash(./sub/*)'] }, harm: 'changes' },
  /** An exact rule for `./sub/safe.sh --dry-run`, which changes something without that option. */
  allowExact: { options: { allow: ['Bash(./sub/safe.sh --dry-run)'] }, harm: 'changes' },
  /** The condition `Bash(rm *)` of a hook is tried too. */
  denyRemove: { options: { allow: ['Bash'], deny: ['Bash(rm *)'] }, harm: 'removes' },
  askRemove: { options: { allow: ['Bash'], ask: ['Bash(rm:*)'] }, harm: 'removes' },
  /** What git does to files and branches under other names. */
  denyGit: {
    options: {
      allow: ['Bash'],
      deny: ['rm', 'clean', 'checkout', 'reset --hard'].map((command) => `Bash(git ${command} *)`),
    },
    harm: 'removes',
  },
  denySecret: { options: { deny: ['Read(./.env)'] }, harm: 'shows' },
  denySecretAllowBash: { options: { allow: ['Bash'], deny: ['Read(./.env)'] }, harm: 'shows' },
} satisfies Record<string, Situation>;

export interface HostileLine {
  readonly situation: keyof typeof SITUATIONS;
  /** The rule of the spec that it proves. */
  readonly rule: string;
  readonly line: string;
  /** Programs without which its harm cannot be seen; `-` in front of one that is not to be run for real. */
  readonly needs?: readonly string[];
}

/** Lines that prove one rule in one situation. */
export function hostile(
  situation: HostileLine['situation'],
  rule: string,
  lines: readonly string[],
  needs: readonly string[] = [],
): readonly HostileLine[] {
  return lines.map((line) => ({ situation, rule, line, needs }));
}
