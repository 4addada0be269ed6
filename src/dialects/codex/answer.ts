/** Reads an answer as strictly as Codex does: with a field or a value that it does not know, the whole answer is void. */
import { isObject, objectIn, text } from '../host/answers.js';
import type { Answer, HostEvent, Json, ReadContext } from '../host/host.js';

const UNIVERSAL = ['continue', 'stopReason', 'suppressOutput', 'systemMessage'];

interface Known {
  readonly top: readonly string[];
  readonly specific: readonly string[];
}

const NOTHING: Known = { top: [], specific: [] };
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
  PreCompact: NOTHING,
  PostCompact: NOTHING,
};

export function readStrictly(said: string, { own }: ReadContext): Answer {
  const given = objectIn(said);
  if (given === undefined) return { failure: 'its answer is not a JSON object' };
  const answer = withoutNull(given);
  const specific = isObject(answer['hookSpecificOutput']) ? withoutNull(answer['hookSpecificOutput']) : {};
  const problem = misfit(answer, specific, own.name);
  if (problem !== undefined) return { failure: problem };
  const meant = meaning(answer, specific, own);
  const message = text(answer['systemMessage']);
  // Only people read something of an answer that is void; the reason of an end counts even then.
  const context =
    voidReason(answer, specific, own) === undefined ? text(specific['additionalContext']) : undefined;
  return {
    ...(message !== undefined && { message }),
    ...(context !== undefined && meant.failure === undefined && { context }),
    ...meant,
  };
}

function meaning(answer: Json, specific: Json, own: HostEvent): Answer {
  if (own.form === 'before-tool') return beforeTool(answer, specific);
  if (own.form === 'permission') return permission(answer, specific);
  const replaces = own.can.includes('replace');
  if (answer['continue'] === false) return ending(answer, replaces);
  const failure = voidReason(answer, specific, own);
  return failure === undefined ? block(answer, replaces) : { failure };
}

/** Why Codex ignores an answer that comes after a tool. */
function voidReason(
  { suppressOutput, ...answer }: Json,
  specific: Json,
  { can }: HostEvent,
): string | undefined {
  if (!can.includes('replace')) return undefined;
  if (suppressOutput === true) return '`suppressOutput` is not supported';
  if (specific['updatedMCPToolOutput'] !== undefined) return '`updatedMCPToolOutput` is not supported';
  const isAlone = answer['decision'] === undefined && answer['continue'] !== false;
  return isAlone && answer['reason'] !== undefined ? 'a reason needs a decision' : undefined;
}

/** These are true or false; any other field may be null, which is as if it were absent. */
const FLAGS = ['continue', 'suppressOutput', 'interrupt'];
const withoutNull = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([key, value]) => value !== null || FLAGS.includes(key)));

/** The names that it accepts as `hookEventName`, whichever event was fired. */
const NAMES = Object.keys(FIELDS);

function misfit(answer: Json, specific: Json, name: string): string | undefined {
  const { top, specific: inside } = FIELDS[name] ?? { top: [], specific: [] };
  const unknown = Object.keys(answer).find((key) => !UNIVERSAL.includes(key) && !top.includes(key));
  if (unknown !== undefined) return `Codex does not know \`${unknown}\` here and ignores the whole answer`;
  if (answer['hookSpecificOutput'] !== undefined) {
    const stray = Object.keys(specific).find((key) => key !== 'hookEventName' && !inside.includes(key));
    if (stray !== undefined) return `Codex does not know \`hookSpecificOutput.${stray}\` here`;
    if (!NAMES.includes(String(specific['hookEventName'])))
      return '`hookEventName` is not the name of an event';
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

/** Where a tool is decided about, these void the whole answer. */
function unsupported(answer: Json): string | undefined {
  for (const [key, voids] of [
    ['continue', answer['continue'] === false],
    ['stopReason', typeof answer['stopReason'] === 'string'],
    ['suppressOutput', answer['suppressOutput'] === true],
  ] as const)
    if (voids) return `\`${key}\` is not supported here, so Codex ignores the whole answer`;
  return undefined;
}

function beforeTool(answer: Json, specific: Json): Answer {
  const failure = unsupported(answer);
  if (failure !== undefined) return { failure };
  const { permissionDecision: word, permissionDecisionReason, updatedInput } = specific;
  if (word === undefined && permissionDecisionReason === undefined && updatedInput === undefined)
    return generalDecision(answer);
  const reason = text(permissionDecisionReason);
  if (updatedInput !== undefined && word !== 'allow')
    return { failure: '`updatedInput` needs `permissionDecision: "allow"` beside it' };
  if (word === 'allow' && updatedInput === undefined) return { failure: '`allow` is not supported' };
  if (word === 'allow') return isObject(updatedInput) ? { rewrite: updatedInput } : { refuse: NO_OBJECT };
  if (word === 'deny')
    return reason === undefined ? { failure: 'a refusal needs a reason' } : { refuse: reason };
  return { failure: `the permission decision ${JSON.stringify(word)} is not supported` };
}

/** The call fails then. */
const NO_OBJECT = 'The hook rewrote the input as something else than an object, which Codex cannot run';

function generalDecision({ decision, reason }: Json): Answer {
  if (decision === undefined) return reason === undefined ? {} : { failure: 'a reason needs a decision' };
  if (decision !== 'block') return { failure: `the decision ${JSON.stringify(decision)} is not supported` };
  return text(reason) === undefined ? { failure: 'a refusal needs a reason' } : { refuse: text(reason) };
}

const PERMISSION_FIELDS = ['behavior', 'updatedInput', 'updatedPermissions', 'message', 'interrupt'];

function permission(answer: Json, specific: Json): Answer {
  const failure = unsupported(answer);
  if (failure !== undefined) return { failure };
  if (specific['decision'] === undefined) return {};
  if (!isObject(specific['decision'])) return { failure: '`decision` is not an object' };
  const decision = withoutNull(specific['decision']);
  const { behavior, message, interrupt = false } = decision;
  const stray = Object.keys(decision).find((key) => !PERMISSION_FIELDS.includes(key));
  if (stray !== undefined) return { failure: `Codex does not know \`${stray}\` in a decision` };
  if (typeof interrupt !== 'boolean' || (message !== undefined && typeof message !== 'string'))
    return { failure: 'its decision has a field of another type' };
  if (decision['updatedInput'] !== undefined || decision['updatedPermissions'] !== undefined || interrupt)
    return { failure: 'a permission decision can only allow or deny' };
  if (behavior === 'deny') return { refuse: text(message) ?? 'The hook denied approval' };
  return behavior === 'allow' ? { allow: true } : { failure: 'its decision has no known behavior' };
}

/** Where the output can be replaced, the reason of an end replaces it. */
function ending(answer: Json, replaces: boolean): Answer {
  const why = text(answer['stopReason']) ?? 'The hook ended the run';
  return replaces ? { replace: text(answer['reason']) ?? why } : { stop: why };
}

/** `replaces`: it is too late to refuse, so the reason replaces the output. */
function block(answer: Json, replaces: boolean): Answer {
  const reason = text(answer['reason']);
  const { decision } = answer;
  if (decision === undefined) return {};
  if (decision !== 'block') return { failure: `the decision ${JSON.stringify(decision)} is not known` };
  if (reason === undefined) return { failure: 'a refusal needs a reason' };
  return replaces ? { replace: reason } : { refuse: reason };
}
