/** Distinguishes output for people, as formatters and test runners print it, from a broken answer. */

import { beginning } from '../base/json/read-json.js';
import { NO_OPINION, type Verdict } from '../handlers/verdict.js';
import type { Exit } from './fault.js';

/** Keys that only an answer has. */
const DECIDES = /"(?:hookSpecificOutput|decision|permissionDecision)"\s*:|"continue"\s*:\s*false/;

/** Contract: the output is not a JSON object. */
export function isLog({ stdout, answers }: Exit): boolean {
  return answers !== true && !/^\s*[{[]/.test(stdout) && !holdsAnswer(stdout);
}

export function noteLog({ stdout }: Exit): Verdict {
  const note = `it printed text, which is not an answer: ${beginning(stdout.trim())}`;
  return { ...NO_OPINION, notes: [note] };
}

/** An answer among other output was intended as one: a guard must not be lost because of an extra line. */
export function holdsAnswer(text: string): boolean {
  return DECIDES.test(text);
}
