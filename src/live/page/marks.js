/** How a fire ended, in colored words. */
import { chip, toneOf } from './dom.js';

export function marksOf({ decision, failed, error, ended, passed, again, goesOn }) {
  const marks = [];
  if (passed) marks.push(chip('no hook ran'));
  if (error !== undefined) marks.push(chip('not fired', 'bad'));
  if (failed) marks.push(chip('failed', 'bad'));
  if (decision !== undefined) marks.push(chip(decision, toneOf(decision)));
  if (goesOn === false) marks.push(chip('ends the run', 'bad'));
  if (!ended) marks.push(chip('running', 'live'));
  // Last: in a narrow column the decision is what must be seen.
  if (again !== undefined) marks.push(chip('again'));
  return marks;
}
