/** Why something cannot be trusted, as a value and as an error. */

export type TrustProblemCode =
  | 'store_path_relative'
  | 'store_in_workspace'
  | 'store_is_link'
  | 'store_not_a_file'
  | 'store_writable_by_others'
  | 'store_owned_by_others'
  | 'store_malformed'
  | 'store_outdated'
  | 'store_unreadable'
  | 'store_locked'
  | 'workspace_unreadable'
  | 'hook_unreadable'
  | 'hook_unresolved'
  | 'script_missing'
  | 'hook_changed';

/** Why something cannot be trusted at the moment. */
export interface TrustProblem {
  readonly severity: 'error';
  readonly code: TrustProblemCode;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  /** For a problem of one hook: the message without the hook's name. */
  readonly why?: string;
}

/** Thrown when an approval or a revocation cannot be stored. */
export class TrustError extends Error {
  readonly code: TrustProblemCode;

  constructor({ code, message }: { readonly code: TrustProblemCode; readonly message: string }) {
    super(message);
    this.code = code;
  }
}

Object.defineProperty(TrustError.prototype, 'name', {
  value: 'TrustError',
  configurable: true,
  writable: true,
});

/** Thrown for a hook that runs something unknown until it runs, which no approval could cover. */
export class UnresolvedError extends Error {
  constructor(why: string) {
    super(
      `${why}, so no approval can cover it. Give a full path, such as "$CLAUDE_PROJECT_DIR"/hooks/guard.sh, and move what is computed into that script.`,
    );
  }
}

export function problem(code: TrustProblemCode, message: string, why?: string): TrustProblem {
  return { severity: 'error', code, message, ...(why !== undefined && { why }) };
}
