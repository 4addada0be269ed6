/** Writes a hook test that expects what a recorded fire came to. */
import { stringify } from 'yaml';
import { cutText } from '../../base/text/cut-text.js';
import { rowOf } from '../../events/registry.js';
import { OUTCOME_ROWS, textsOf } from '../../runner/outcome-rows.js';
import type { RecordedOutcome } from '../recording/entry.js';
import type { CheckedFire } from '../recording/read.js';

/** They differ in every session, and the sample input has them. */
export const SESSION_FIELDS: ReadonlySet<string> = new Set([
  'session_id',
  'transcript_path',
  'agent_transcript_path',
  'cwd',
  'hook_event_name',
  'prompt_id',
  'tool_use_id',
  'agent_id',
]);
const MAX_NAME = 60;
/** A part of a text is enough: the test looks for it. */
const MAX_TEXT = 200;

/** A file in YAML, as `hookline test` reads it. Texts that change from run to run are for the user to shorten. */
export function hookTestOf({ event, input, agentId, outcome }: CheckedFire): string {
  const fields = Object.entries(input).filter(([field]) => !SESSION_FIELDS.has(field));
  const test = {
    name: nameOf(event, input, outcome),
    event,
    ...(agentId !== undefined && { agent: agentId }),
    ...(fields.length > 0 && { input: Object.fromEntries(fields) }),
    expect: expectationOf(outcome),
  };
  return stringify({ tests: [test] }, { lineWidth: 0 });
}

function nameOf(
  event: CheckedFire['event'],
  input: CheckedFire['input'],
  outcome: RecordedOutcome | undefined,
): string {
  const field = rowOf(event).matcherField;
  const subject = field === null ? undefined : input[field];
  const words = [event, typeof subject === 'string' ? subject : '', outcome?.decision ?? 'passes'];
  return cutText(words.filter((word) => word !== '').join(' '), MAX_NAME);
}

function expectationOf(outcome: RecordedOutcome | undefined): Readonly<Record<string, unknown>> {
  const expected = OUTCOME_ROWS.flatMap((row): [string, unknown][] => {
    if (row.expected === null) return [];
    const { name, by } = row.expected;
    const value = outcome?.[row.field];
    if (value === undefined) return name === 'decision' ? [[name, 'none']] : [];
    if (by === 'value') return [[name, value]];
    const texts = textsOf(row, value).map(partOf);
    if (texts.length === 0) return [];
    return [[name, by === 'text' ? texts[0] : texts]];
  });
  const failed = (outcome?.failures ?? []).length > 0;
  return { ...Object.fromEntries(expected), ...(failed && { failure: true }) };
}

/** The first line of a long text, without a mark that it was cut. */
function partOf(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const [line = ''] = text.trimStart().split('\n');
  return line.slice(0, MAX_TEXT);
}
