/** Answers one call of a host: reads its event, fires hooks within a deadline, and writes the answer in its words. */
import pTimeout from 'p-timeout';
import { messageOf } from '../base/errors.js';
import { cutText } from '../base/text/cut-text.js';
import { beforeToolOf } from '../dialects/host/events.js';
import type { Answer, Host, Written } from '../dialects/host/host.js';
import type { AnyEvent } from '../events/types.js';
import type { HookOutcome } from '../runner/outcome.js';
import { expressOutcome, isAfterwards, protects } from './answer.js';
import { CANARY_TOOL, isCanary } from './canary-tool.js';
import { deadlineOf } from './deadline.js';
import { decodeEvent, eventCalled, type HostCall, type NamedEvent } from './decode.js';
import { partsOfUnknown } from './unknown-tool.js';

/** What firing a call gave. */
export interface Fired {
  readonly outcome: HookOutcome;
  /** What went wrong without deciding anything, as sentences. */
  readonly problems: readonly string[];
}

export interface BridgeRequest {
  readonly host: Host;
  /** What the host writes to stdin. Waiting for its end counts. */
  readonly text: string | Promise<string>;
  /** The event that the command line names. */
  readonly event?: string | undefined;
  /** Default: a little less than the timeout that the installer writes. */
  readonly deadlineMs?: number | undefined;
  /** Fires the hooks at one input. A rejection is a refusal. */
  fire(event: AnyEvent, input: Readonly<Record<string, unknown>>, call: HostCall): Promise<Fired>;
  /** Whether a hook of the event is set to block, or may be. A problem then hides the output of a tool. Default: no. */
  blocks?(event: AnyEvent): boolean;
}

export interface BridgeAnswer {
  /** Empty, or one JSON object. */
  readonly stdout: string;
  /** Sentences. */
  readonly stderr: readonly string[];
  readonly exit: number;
}

/** Never rejects: whatever goes wrong is a refusal, where the event can refuse. */
export async function answerHost(request: BridgeRequest): Promise<BridgeAnswer> {
  const { host, text, event: name } = request;
  const refuseProblem = (known: NamedEvent | undefined, problem: string): BridgeAnswer =>
    answerProblem(known, problem, request);
  const begun = performance.now();
  let named = name === undefined ? undefined : eventCalled(host, name);
  const withinDeadline = <T>(work: Promise<T>): Promise<T> => {
    const whole = request.deadlineMs ?? deadlineOf(host, named);
    const message = `hooks were not done within ${whole / 1000} s`;
    return pTimeout(work, { milliseconds: Math.max(1, whole - (performance.now() - begun)), message });
  };
  try {
    const decoded = decodeEvent(host, await withinDeadline(Promise.resolve(text)), name);
    if (!decoded.ok) return refuseProblem(decoded.named, decoded.problem);
    const call = reliable(decoded.call);
    named = call;
    if (call.spelling.isEmpty?.(call.event, call.input)) return printed({ exit: 0 }, []);
    if (isCanary(call.input))
      return refuseProblem(call, `${CANARY_TOOL} is always refused: the bridge works`);
    return await withinDeadline(fireAll(request, call));
  } catch (error) {
    return refuseProblem(named, messageOf(error));
  }
}

function reliable(call: HostCall): HostCall {
  const wrong = Object.entries(call.spelling.unreliable ?? {}).filter(([field]) => field in call.input);
  return wrong.length === 0 ? call : { ...call, input: { ...call.input, ...Object.fromEntries(wrong) } };
}

async function fireAll({ host, fire }: BridgeRequest, call: HostCall): Promise<BridgeAnswer> {
  const { spelling, event, input } = call;
  const own = ownEvent(call);
  const stderr: string[] = [];
  const contexts: string[] = [];
  let answer: Answer = {};
  const derived = [...(spelling.partsOf?.(input) ?? []), ...partsOfUnknown(call)];
  for (const each of [input, ...derived]) {
    const { outcome, problems } = await fire(event, each, call);
    const { answer: next, lost } = expressOutcome(outcome, each['tool_input'], { host, own, event });
    stderr.push(...problems, ...lost);
    answer = each === input ? next : ofPart(next, each, answer);
    if (next.context !== undefined) contexts.push(next.context);
    if (answer.refuse !== undefined || answer.stop !== undefined || answer.ask !== undefined) break;
  }
  const context = contexts.join('\n');
  const whole = { ...shortened(answer), ...(context !== '' && answer.refuse === undefined && { context }) };
  const empty = Object.keys(whole).length === 0;
  return printed(empty ? { exit: 0 } : spelling.write(whole, { event, own, input }), stderr);
}

/** Hosts cut what a hook prints, and an answer that is cut is no answer. Qwen Code does so at a megabyte. */
const MAX_REASON = 10_000;

function shortened(answer: Answer): Answer {
  const long = (['refuse', 'ask', 'stop'] as const).filter((key) => (answer[key]?.length ?? 0) > MAX_REASON);
  const cut = long.map((key) => [key, cutText(answer[key] ?? '', MAX_REASON)]);
  return { ...answer, ...Object.fromEntries(cut) };
}

/** A part of a call can be refused or asked about; it cannot be changed alone. */
function ofPart({ refuse, ask, stop, rewrite }: Answer, part: HostCall['input'], before: Answer): Answer {
  if (refuse !== undefined) return { refuse };
  if (stop !== undefined) return { stop };
  if (ask !== undefined) return { ask };
  if (rewrite === undefined) return before;
  return { refuse: `A hook changed the input of ${part['tool_name']}, which is only a part of this call` };
}

function ownEvent({ spelling, event }: NamedEvent) {
  const own = spelling.events[event];
  if (own === undefined) throw new Error(`there is no ${event}`);
  return own;
}

/**
 * Without an event nothing is known about the words it takes. Exit code 2 with a reason on stderr is a refusal on every
 * event that can refuse, but for hosts that do not look at it: those are answered as before a tool.
 */
function answerProblem(
  named: NamedEvent | undefined,
  problem: string,
  { host, blocks }: Pick<BridgeRequest, 'host' | 'blocks'>,
): BridgeAnswer {
  const reason = `Refused by hookline: ${problem}`;
  if (named === undefined) {
    const guarded = beforeToolOf(host);
    if (guarded === undefined || readsExit(guarded)) return { stdout: '', stderr: [reason], exit: 2 };
    const { spelling, event, own } = guarded;
    return printed(spelling.write({ refuse: reason }, { event, own, input: {} }), [reason]);
  }
  const own = ownEvent(named);
  const written = (answer: Answer): BridgeAnswer =>
    printed(named.spelling.write(answer, { event: named.event, own, input: {} }), [problem]);
  if (protects(named.event, own)) return written({ refuse: reason });
  const hides = own.can.includes('replace') && isAfterwards(named.event) && blocks?.(named.event) === true;
  return hides ? written({ replace: `Hidden by hookline: ${problem}` }) : printed({ exit: 0 }, [problem]);
}

function readsExit({ spelling, event, own }: NonNullable<ReturnType<typeof beforeToolOf>>): boolean {
  const exit = { kind: 'exited', exitCode: 2, signal: undefined, stdout: '', stderr: 'R' } as const;
  return spelling.read(exit, { event, own, input: {} }).refuse !== undefined;
}

function printed({ stdout = {}, text, stderr: own, exit }: Written, stderr: readonly string[]): BridgeAnswer {
  const json = Object.keys(stdout).length === 0 ? '' : JSON.stringify(stdout);
  return { stdout: text ?? json, stderr: own === undefined ? stderr : [own, ...stderr], exit };
}
