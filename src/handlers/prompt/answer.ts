/** Reads what a model answered when it was asked to judge. */
import { beginning, readJsonObject } from '../../base/json/read-json.js';

export type Judgement =
  | { readonly read: true; readonly ok: boolean; readonly reason: string; readonly impossible: boolean }
  | { readonly read: false; readonly problem: string };

const FENCE = '```';
const WANTED = 'expected {"ok": true} or {"ok": false, "reason": "..."}';

/** One JSON object, alone or in a fence. Anything else is no judgement; nothing is guessed. */
export function readJudgement(answer: unknown): Judgement {
  if (typeof answer !== 'string') return unread(`the model returned a ${typeof answer}`);
  const json = readJsonObject(withoutFence(answer.trim()));
  if (!json.ok) return unread(`the model's answer is no JSON object: ${json.problem}`);
  const { ok, reason = '', impossible = false } = json.value;
  if (typeof ok !== 'boolean') return unread(`the model's answer has no \`ok\`: ${beginning(answer.trim())}`);
  if (typeof reason !== 'string') return unread("the `reason` in the model's answer is not text");
  if (typeof impossible !== 'boolean')
    return unread("the `impossible` in the model's answer is not true or false");
  // A refusal without a word is still a refusal.
  return { read: true, ok, reason: reason.trim() === '' ? 'no reason was given' : reason, impossible };
}

function unread(what: string): Judgement {
  return { read: false, problem: `${what}; ${WANTED}` };
}

function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length) return text;
  const lineEnd = text.indexOf('\n');
  if (lineEnd < 0 || !/^[\w-]*$/.test(text.slice(FENCE.length, lineEnd).trim())) return text;
  return text.slice(lineEnd + 1, -FENCE.length);
}
