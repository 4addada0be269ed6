/** The problems preflight can report about a hook before it runs. */

export type PreflightCode =
  | 'missing_script'
  | 'missing_program'
  | 'missing_package'
  | 'missing_interpreter'
  | 'missing_shell'
  | 'missing_cwd'
  | 'not_a_file'
  | 'not_executable'
  | 'bad_shebang'
  | 'crlf_script'
  | 'unquoted_path'
  | 'unbalanced_quotes'
  | 'unset_variable'
  | 'matcher_matches_nothing';

export interface PreflightProblem {
  /** `error`: the hook cannot run. `warning`: it may not do what its author intended. */
  readonly severity: 'error' | 'warning';
  readonly code: PreflightCode;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  /** What has to be repaired, if several problems may have the same. */
  readonly cause?: string;
}

export function error(code: PreflightCode, message: string): PreflightProblem {
  return { severity: 'error', code, message };
}

export function warning(code: PreflightCode, message: string): PreflightProblem {
  return { severity: 'warning', code, message };
}
