/** Converts fires and hook messages to events. */
import { messageOf } from '../base/errors.js';
import { isEvent, rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import { hookLabel } from '../runner/hook-label.js';
import type {
  HookMessage,
  HookResponseMessage,
  HookStartedMessage,
} from '../runner/messages/hook-messages.js';
import type { HookOutcome, HookResult } from '../runner/outcome.js';
import type { FieldRole } from '../runner/outcome-fields.js';
import { OUTCOME_ROWS, type OutcomeRow, textsOf } from '../runner/outcome-rows.js';
import { type RecordedFire, recordedOutcome } from '../testing/recording/entry.js';
import type { Timeline } from './agent-registry.js';
import type { Archive } from './archive.js';
import type { FireEndEvent, FireEvent, HookVerdict } from './events.js';
import { repeatedFire } from './fire-again.js';
import type { BegunFire, FireRecorder, SeenMessage } from './observe-fires.js';
import { cut, MAX_LENGTHS, showPlace, showValue } from './show.js';

interface Place {
  readonly agent: string;
  readonly turn: number;
}

interface OpenFire {
  readonly begun: BegunFire;
  readonly at: string;
  readonly startedAt: number;
  /** The fire that it repeats. */
  readonly again: string | undefined;
  /** The turn that it started. */
  turn?: number;
  /** Where it is shown; undefined until a hook runs. */
  place?: Place;
}

/** Limits the memory used for hooks that never end. */
const MAX_HOOKS = 10_000;

export class Fires implements FireRecorder {
  readonly #timeline: Timeline;
  readonly #archive: Archive;
  readonly #cwd: string;
  readonly #open = new Map<string, OpenFire>();
  /** The start times of running hooks. */
  readonly #running = new Map<string, number>();
  /** The runner emits a message, and so does every run that passes it on: each must be shown once. */
  readonly #seen = new WeakSet<HookMessage>();

  constructor(timeline: Timeline, archive: Archive, cwd: string) {
    this.#timeline = timeline;
    this.#archive = archive;
    this.#cwd = cwd;
  }

  begin(begun: BegunFire): void {
    // An error of the caller, which the runner reports.
    if (!isEvent(begun.event)) return;
    const again = repeatedFire(begun.id);
    const at = new Date().toISOString();
    const fire: OpenFire = { begun, at, startedAt: performance.now(), again };
    this.#open.set(begun.id, fire);
    if (again !== undefined) return;
    const { registry } = this.#timeline;
    const agent = registry.ofFire(begun);
    // A prompt starts a turn, even if no hook runs.
    if (rowOf(begun.event).blocks === 'prompt') fire.turn = registry.turnOfFire(agent, begun);
  }

  message(message: HookMessage, { fire, result, origin }: Partial<SeenMessage> = {}): void {
    if (this.#seen.has(message)) return;
    this.#seen.add(message);
    if (message.subtype === 'hook_started') this.#emitStart(message, fire, origin);
    else if (message.subtype === 'hook_response') this.#emitResponse(message, result);
    else {
      const text = cut(message.output, MAX_LENGTHS.output);
      this.#timeline.add({ type: 'progress', hook: message.hook_id, text });
    }
  }

  end(id: string, outcome: HookOutcome): void {
    const fire = this.#take(id);
    if (fire === undefined) return;
    if (fire.place === undefined && !this.#emitPassed(fire)) return;
    this.#keep(fire, outcome);
    if (fire.place !== undefined) this.#emitEnd(fire, summaryOf(outcome));
  }

  fail(id: string, error: unknown): void {
    const fire = this.#take(id);
    if (fire === undefined) return;
    this.#show(fire);
    this.#emitEnd(fire, { effects: [], hooks: [], error: cut(messageOf(error), MAX_LENGTHS.input) });
  }

  #take(id: string): OpenFire | undefined {
    const fire = this.#open.get(id);
    this.#open.delete(id);
    return fire;
  }

  /** Shows a fire in which no hook ran, if its event has hooks: a user may wonder why they did not run. */
  #emitPassed({ begun, again }: OpenFire): boolean {
    const { id, event, input, options, runner } = begun;
    if (again === undefined && !runner.hasHooks?.(event, options.agentId)) return false;
    const agent = this.#timeline.registry.ofFire(begun);
    const tool = toolOf(begun);
    this.#timeline.add({
      type: 'passed',
      agent,
      fire: id,
      event,
      ...subjectOf(event, input),
      ...(tool && { tool }),
      ...(again !== undefined && { again }),
    });
    return true;
  }

  #keep({ begun, at, startedAt }: OpenFire, outcome: HookOutcome): void {
    const { id, event, input, options, runner } = begun;
    const { agentId, toolUseID } = options;
    const durationMs = Math.round(performance.now() - startedAt);
    try {
      const line = JSON.stringify({
        version: 1,
        at,
        event,
        input: input as Record<string, unknown>,
        ...(agentId !== undefined && { agentId }),
        durationMs,
        outcome: recordedOutcome(outcome),
      } satisfies RecordedFire);
      this.#archive.add(id, { line, runner, toolUseID });
    } catch {
      // An input that is not JSON cannot be recorded; the fire is shown without its details.
    }
  }

  #emitStart(message: HookStartedMessage, id: string | undefined, origin: SeenMessage['origin']): void {
    const { hook_id: hook, hook_event: event } = message;
    this.#running.set(hook, performance.now());
    for (const oldest of this.#running.keys()) {
      if (this.#running.size <= MAX_HOOKS) break;
      this.#running.delete(oldest);
    }
    const open = id === undefined ? undefined : this.#open.get(id);
    const place = open === undefined ? this.#placeOf(message.session_id) : this.#show(open);
    // If the fire was not seen, each hook is shown as a fire.
    const fire = open?.begun.id ?? `hook-${hook}`;
    const name = cut(hookLabel(message.hook_name, event, origin), MAX_LENGTHS.name);
    this.#timeline.add({
      type: 'hook',
      ...place,
      fire,
      event,
      hook,
      name,
      ...(origin && { place: showPlace(origin.source, this.#cwd) }),
    });
  }

  #emitResponse(message: HookResponseMessage, result: HookResult | undefined): void {
    const { hook_id: hook, outcome, exit_code: exitCode } = message;
    const now = performance.now();
    const startedAt = this.#running.get(hook) ?? now;
    this.#running.delete(hook);
    this.#timeline.add({
      type: 'hook_end',
      hook,
      name: cut(message.hook_name, MAX_LENGTHS.name),
      outcome,
      ...(result?.decision !== undefined && result.failure === undefined && { decision: result.decision }),
      durationMs: round(now - startedAt),
      ...(exitCode !== undefined && { exitCode }),
      output: cut(message.output, MAX_LENGTHS.output),
    });
  }

  #emitEnd({ begun, startedAt }: OpenFire, summary: FireSummary): void {
    const durationMs = round(performance.now() - startedAt);
    this.#timeline.add({ type: 'fire_end', fire: begun.id, durationMs, ...summary });
  }

  #show(fire: OpenFire): Place {
    if (fire.place !== undefined) return fire.place;
    const { registry } = this.#timeline;
    const { id, event, input } = fire.begun;
    const agent = registry.ofFire(fire.begun);
    // A repeated prompt is not a new turn.
    const turnOf = () =>
      fire.again === undefined ? registry.turnOfFire(agent, fire.begun) : registry.turnOf(agent);
    fire.place = { agent, turn: fire.turn ?? turnOf() };
    const tool = toolOf(fire.begun);
    this.#timeline.add({
      type: 'fire',
      ...fire.place,
      fire: id,
      event,
      ...subjectOf(event, input),
      ...(tool && { tool }),
      ...(fire.again !== undefined && { again: fire.again }),
    });
    return fire.place;
  }

  #placeOf(session: string): Place {
    const { registry } = this.#timeline;
    const agent = registry.ofSession(session);
    return { agent, turn: registry.turnOf(agent) };
  }
}

function subjectOf(event: AnyEvent, input: BegunFire['input']): Pick<FireEvent, 'subject'> {
  const field = rowOf(event).matcherField;
  const subject = field === null ? undefined : input[field];
  return typeof subject === 'string' ? { subject: cut(subject, MAX_LENGTHS.name) } : {};
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

export type FireSummary = Omit<FireEndEvent, 'type' | 'fire' | 'durationMs'>;

export function summaryOf(outcome: HookOutcome): FireSummary {
  const { decision, reason } = outcome;
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason: cut(reason, MAX_LENGTHS.input) }),
    ...(outcome.continue !== undefined && { continue: outcome.continue }),
    effects: effectsOf(outcome),
    hooks: verdictsOf(outcome),
  };
}

/** The order in which effects are shown: changes first. */
const ORDER = ['decides', 'rewrites', 'tells', 'explains', 'reports'] as const satisfies readonly FieldRole[];
const SHOWN = ORDER.flatMap((role) => OUTCOME_ROWS.filter((row) => row.shown?.live && row.role === role));

function effectsOf(outcome: HookOutcome): readonly string[] {
  const effects = effectsIn(outcome);
  return outcome.aborted ? [...effects, 'ended early'] : effects;
}

/** What an outcome changes beside its decision, in words; also of a recorded one. */
export function effectsIn(outcome: { readonly [F in OutcomeRow['field']]?: unknown }): readonly string[] {
  const short = (value: unknown): string => showValue(value, MAX_LENGTHS.input);
  return SHOWN.flatMap((row) =>
    textsOf(row, outcome[row.field], short).map(
      (text) => `${row.shown?.label}: ${cut(text, MAX_LENGTHS.input)}`,
    ),
  );
}

function verdictsOf({ results, pending }: HookOutcome): readonly HookVerdict[] {
  const later = new Set(pending.map(({ hookId }) => hookId));
  return results.map(({ hookId, decision, reason, failure }) => {
    const why = reason ?? failure?.message;
    return {
      hook: hookId,
      ...(decision !== undefined && { decision }),
      ...(why !== undefined && { reason: cut(why, MAX_LENGTHS.input) }),
      ...(later.has(hookId) && { pending: true as const }),
    };
  });
}

/** Reads the call from an input that has not been validated yet. */
function toolOf({ input, options }: BegunFire): FireEvent['tool'] {
  const id = input['tool_use_id'] ?? options.toolUseID;
  const name = input['tool_name'];
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  return { id, name: cut(name, MAX_LENGTHS.name), input: showValue(input['tool_input'], MAX_LENGTHS.input) };
}
