/** Reads an answer as strictly as Codex does: with a field or a value that it does not know, the whole answer is void. */
import { isObject, objectIn, text } from '../host/answers.js';
import type { Answer, Json, ReadContext } from '../host/host.js';

const UNIVERSAL = ['continue', 'stopReason', 'suppressOutput', 'systemMessage'];

interface Known {
  readonly top: readonly string[];
  readonly specific: readonly string[];
}

const BLOCKS: Known = { top: ['decision', 'reason'], specific: [] };
const CONTEXT = ['additionalContext'];

/** The fields that the events know beside the universal ones. */
const FIELDS: Readonly<Record<string, Known>> = {
  PreToolUse: {
    top: ['decision', 'reason', 'hookSpecificOutput'],
    specific: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', ...CONTEXT],
  },
  PermissionRequest: { top: ['hookSpecificOutput'], specific: ['decision'] },
  PostToolUse: {
    top: ['decision', 'reason', 'hookSpecificOutput'],
    specific: ['updatedMCPToolOutput', ...CONTEXT],
  },
  UserPromptSubmit: { top: ['decision', 'reason', 'hookSpecificOutput'], specific: CONTEXT },
  SessionStart: { top: ['hookSpecificOutput'], specific: CONTEXT },
  SubagentStart: { top: ['hookSpecificOutput'], specific: CONTEXT },
  Stop: BLOCKS,
  SubagentStop: BLOCKS,
};

export function readStrictly(said: string, { own }: ReadContext): Answer {
  const given = objectIn(said);
  if (given === undefined) return { failure: 'its answer is not a JSON object' };
  const answer = withoutNull(given);
  const specific = isObject(answer['hookSpecificOutput']) ? withoutNull(answer['hookSpecificOutput']) : {};
  const problem = misfit(answer, specific, own.name);
  if (problem !== undefined) return { failure: problem };
  const message = text(answer['systemMessage']);
  const context = text(specific['additionalContext']);
  const rest = {
    ...(message !== undefined && { message }),
    ...(context !== undefined && { context }),
  };
  if (own.form === 'before-tool') return { ...rest, ...beforeTool(answer, specific) };
  if (own.form === 'permission') return { ...rest, ...permission(specific) };
  return { ...rest, ...block(answer, own.can.includes('replace')) };
}

/** A field that is null is absent. */
const withoutNull = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function misfit(answer: Json, specific: Json, name: string): string | undefined {
  const { top, specific: inside } = FIELDS[name] ?? { top: [], specific: [] };
  const unknown = Object.keys(answer).find((key) => !UNIVERSAL.includes(key) && !top.includes(key));
  if (unknown !== undefined) return `Codex does not know \`${unknown}\` here and ignores the whole answer`;
  if (answer['hookSpecificOutput'] !== undefined) {
    const stray = Object.keys(specific).find((key) => key !== 'hookEventName' && !inside.includes(key));
    if (stray !== undefined) return `Codex does not know \`hookSpecificOutput.${stray}\` here`;
    if (specific['hookEventName'] !== name) return `\`hookEventName\` is not ${name}`;
  }
  for (const key of ['additionalContext', 'permissionDecisionReason'])
    if (specific[key] !== undefined && typeof specific[key] !== 'string') return `\`${key}\` is not a string`;
  for (const key of ['stopReason', 'systemMessage', 'reason'])
    if (answer[key] !== undefined && typeof answer[key] !== 'string') return `\`${key}\` is not a string`;
  for (const key of ['continue', 'suppressOutput'])
    if (answer[key] !== undefined && typeof answer[key] !== 'boolean')
      return `\`${key}\` is not true or false`;
  return undefined;
}

function beforeTool(answer: Json, specific: Json): Answer {
  for (const [key, voids] of [
    ['continue', answer['continue'] === false],
    ['stopReason', typeof answer['stopReason'] === 'string'],
    ['suppressOutput', answer['suppressOutput'] === true],
  ] as const)
    if (voids)
      return { failure: `\`${key}\` is not supported before a tool, so Codex ignores the whole answer` };
  const { permissionDecision: word, permissionDecisionReason, updatedInput } = specific;
  if (word === undefined && permissionDecisionReason === undefined && updatedInput === undefined)
    return generalDecision(answer);
  const reason = text(permissionDecisionReason);
  if (updatedInput !== undefined && word !== 'allow')
    return { failure: '`updatedInput` needs `permissionDecision: "allow"` beside it' };
  if (word === 'allow')
    return isObject(updatedInput) ? { rewrite: updatedInput } : { failure: '`allow` is not supported' };
  if (word === 'deny')
    return reason === undefined ? { failure: 'a refusal needs a reason' } : { refuse: reason };
  return { failure: `the permission decision ${JSON.stringify(word)} is not supported` };
}

function generalDecision({ decision, reason }: Json): Answer {
  if (decision === undefined) return reason === undefined ? {} : { failure: 'a reason needs a decision' };
  if (decision !== 'block') return { failure: `the decision ${JSON.stringify(decision)} is not supported` };
  return text(reason) === undefined ? { failure: 'a refusal needs a reason' } : { refuse: text(reason) };
}

function permission(specific: Json): Answer {
  const { decision } = specific;
  if (!isObject(decision)) return {};
  if (
    decision['updatedInput'] !== undefined ||
    decision['updatedPermissions'] !== undefined ||
    decision['interrupt']
  )
    return { failure: 'a permission decision can only allow or deny' };
  if (decision['behavior'] === 'deny')
    return { refuse: text(decision['message']) ?? 'The hook denied approval' };
  return decision['behavior'] === 'allow'
    ? { allow: true }
    : { failure: 'its decision has no known behavior' };
}

/** `replaces`: it is too late to refuse, so the reason replaces the output; so does the reason of a stop. */
function block(answer: Json, replaces: boolean): Answer {
  const reason = text(answer['reason']);
  if (answer['continue'] === false) {
    const why = text(answer['stopReason']) ?? 'The hook ended the run';
    return replaces ? { replace: reason ?? why } : { stop: why };
  }
  if (replaces && answer['suppressOutput'] === true) return { failure: '`suppressOutput` is not supported' };
  const { decision } = answer;
  if (decision === undefined) return {};
  if (decision !== 'block') return { failure: `the decision ${JSON.stringify(decision)} is not known` };
  if (reason === undefined) return { failure: 'a refusal needs a reason' };
  return replaces ? { replace: reason } : { refuse: reason };
}
