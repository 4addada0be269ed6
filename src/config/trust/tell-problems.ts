/** Tells what keeps hooks from being approved, each at its place, and not again what preflight has told of the same hook. */
import type { Diagnostic, LoadedGroup, Source } from '../loaded.js';
import { missingScript } from './judge.js';
import type { TrustSubject } from './subject.js';

/** What preflight calls it. */
const SAME: Readonly<Record<string, string>> = {
  hook_unresolved: 'unbalanced_quotes',
  missing_script: 'missing_script',
};

export class ProblemTeller {
  readonly #sources: readonly Source[];
  readonly #diagnostics: Diagnostic[];

  /** `groups`: those that need an approval. Hooks are counted through all of them. */
  constructor(groups: readonly LoadedGroup[], diagnostics: Diagnostic[]) {
    this.#sources = groups.flatMap(({ hooks }) => hooks.map(({ source }) => source));
    this.#diagnostics = diagnostics;
  }

  tell(severity: Diagnostic['severity'], code: string, message: string, hook: number): void {
    const source = this.#sources[hook];
    const isTold = this.#diagnostics.some(
      (told) => told.severity === 'error' && told.code === SAME[code] && this.#isOf(told.source, hook),
    );
    if (source !== undefined && !isTold) this.#diagnostics.push({ severity, code, message, source });
  }

  /** What a hook runs has to be there before it can be approved. */
  async tellMissing(subject: TrustSubject, hook: number): Promise<void> {
    const problem = await missingScript(subject);
    if (problem !== undefined) this.tell('error', 'missing_script', problem.message, hook);
  }

  /** Hooks stand in their file one after the other. */
  #isOf(place: Source, hook: number): boolean {
    const [from, to] = [this.#sources[hook], this.#sources[hook + 1]];
    const isBefore = (one: Source, other: Source): boolean =>
      one.line < other.line || (one.line === other.line && one.column < other.column);
    if (from === undefined || place.file !== from.file || isBefore(place, from)) return false;
    return to === undefined || to.file !== place.file || isBefore(place, to);
  }
}
