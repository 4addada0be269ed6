/** Reports what keeps hooks from being approved, at each hook's source, unless preflight already reported it. */
import type { Diagnostic, LoadedGroup, Source } from '../loaded.js';
import { missingScript } from './judge.js';
import type { TrustSubject } from './subject.js';

/** The equivalent code of preflight. */
const PREFLIGHT_CODES: Readonly<Record<string, string>> = {
  hook_unresolved: 'unbalanced_quotes',
  missing_script: 'missing_script',
};

export class ProblemReporter {
  readonly #sources: readonly Source[];
  readonly #diagnostics: Diagnostic[];

  /** `groups`: those that need approval. Hooks are numbered across all of them. */
  constructor(groups: readonly LoadedGroup[], diagnostics: Diagnostic[]) {
    this.#sources = groups.flatMap(({ hooks }) => hooks.map(({ source }) => source));
    this.#diagnostics = diagnostics;
  }

  report(severity: Diagnostic['severity'], code: string, message: string, hook: number): void {
    const source = this.#sources[hook];
    const isReported = this.#diagnostics.some(
      (other) =>
        other.severity === 'error' && other.code === PREFLIGHT_CODES[code] && this.#isOf(other.source, hook),
    );
    if (source !== undefined && !isReported) this.#diagnostics.push({ severity, code, message, source });
  }

  /** Files that a hook runs must exist before it can be approved. */
  async reportMissing(subject: TrustSubject, hook: number): Promise<void> {
    const problem = await missingScript(subject);
    if (problem !== undefined) this.report('error', 'missing_script', problem.message, hook);
  }

  /** Hooks appear in their file one after another. */
  #isOf(place: Source, hook: number): boolean {
    const [from, to] = [this.#sources[hook], this.#sources[hook + 1]];
    const isBefore = (one: Source, other: Source): boolean =>
      one.line < other.line || (one.line === other.line && one.column < other.column);
    if (from === undefined || place.file !== from.file || isBefore(place, from)) return false;
    return to === undefined || to.file !== place.file || isBefore(place, to);
  }
}
