/** Tells what a command prints for people, as formatters and test runners do, from an answer that went wrong. */

import { beginning } from '../base/json/read-json.js';
import { NO_OPINION, type Verdict } from '../handlers/verdict.js';
import type { Exit } from './fault.js';

/** What only an answer says. */
const DECIDES = /"(?:hookSpecificOutput|decision|permissionDecision)"\s*:|"continue"\s*:\s*false/;

/** Contract: what was printed is no JSON object. */
export function isLog({ stdout, answers }: Exit): boolean {
  return answers !== true && !/^\s*[{[]/.test(stdout) && !holdsAnswer(stdout);
}

export function noteLog({ stdout }: Exit): Verdict {
  const note = `it printed text, which is no answer: ${beginning(stdout.trim())}`;
  return { ...NO_OPINION, notes: [note] };
}

/** An answer among other output was meant as one: a guard must not be lost over a line that says what it does. */
export function holdsAnswer(text: string): boolean {
  return DECIDES.test(text);
}
