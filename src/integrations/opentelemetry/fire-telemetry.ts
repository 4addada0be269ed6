/** Records one fire as a span, its hooks as child spans, and counts all of them. */
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { messageOf } from '../../base/errors.js';
import type { HookMessage } from '../../runner/messages/hook-messages.js';
import type { BegunFire, FireWatcher, StartedHook } from '../../runner/observer.js';
import type { HookOutcome, HookResult } from '../../runner/outcome.js';
import {
  cut,
  errorType,
  eventOf,
  fireAttributes,
  fireContent,
  hookAttributes,
  outcomeAttributes,
  outcomeContent,
  refusalType,
  resultAttributes,
  resultContent,
  shortName,
} from './attributes.js';
import type { Api } from './load-api.js';
import type { Meters } from './meters.js';

/** What all fires share. */
export interface TelemetryContext {
  readonly api: Api;
  readonly tracer: Tracer;
  readonly meters: Meters;
  readonly content: boolean;
  readonly emptyFires: boolean;
}

export class FireTelemetry implements FireWatcher {
  readonly #fire: BegunFire;
  readonly #telemetry: TelemetryContext;
  readonly #event: string;
  readonly #beganAt = performance.now();
  /** The caller's context: the fire belongs to it, whatever else is active when its hooks start. */
  readonly #caller: Context;
  /** The span of the fire, created with its first hook: most fires have no hooks, and their spans would be noise. */
  #span: Span | undefined;
  /** The spans of running hooks. */
  readonly #hooks = new Map<string, Span>();
  #hasEnded = false;

  constructor(fire: BegunFire, telemetry: TelemetryContext) {
    this.#fire = fire;
    this.#telemetry = telemetry;
    this.#event = eventOf(fire);
    this.#caller = telemetry.api.context.active();
  }

  within<T>(hook: StartedHook, run: () => T): T {
    const { api, tracer } = this.#telemetry;
    const fire = this.#open();
    // No tracer is registered, so the hook needs no context.
    if (!api.isSpanContextValid(fire.spanContext())) return run();
    const around = api.trace.setSpan(this.#caller, fire);
    const attributes = { 'hookline.event': this.#event, ...hookAttributes(hook) };
    const span = tracer.startSpan(`hookline.hook ${shortName(hook.name)}`, { attributes }, around);
    this.#hooks.set(hook.id, span);
    return api.context.with(api.trace.setSpan(around, span), run);
  }

  /** Lets a command continue the trace. */
  environment({ id }: StartedHook): Record<string, string> {
    const context = this.#hooks.get(id)?.spanContext();
    if (context === undefined) return {};
    const { traceId, spanId, traceFlags } = context;
    const flags = traceFlags.toString(16).padStart(2, '0');
    const state = context.traceState?.serialize() ?? '';
    // An inherited value belongs to another parent span.
    const isStated = state !== '' || process.env['TRACESTATE'] !== undefined;
    return { TRACEPARENT: `00-${traceId}-${spanId}-${flags}`, ...(isStated && { TRACESTATE: state }) };
  }

  message(message: HookMessage, result: HookResult | undefined): void {
    if (message.subtype !== 'hook_response' || result === undefined) return;
    const { meters, content } = this.#telemetry;
    const { outcome, failure, durationMs } = result;
    meters.countRun(durationMs, {
      'hookline.event': this.#event,
      'hookline.hook.outcome': outcome,
      ...errorType(failure?.kind),
    });
    const span = this.#hooks.get(message.hook_id);
    if (span === undefined) return;
    this.#hooks.delete(message.hook_id);
    span.setAttributes(resultAttributes(result));
    if (this.#hasEnded) span.setAttribute('hookline.hook.background', true);
    if (content) span.setAttributes(resultContent(result, message.output));
    if (failure !== undefined) this.#fail(span, failure.message);
    span.end();
  }

  end(outcome: HookOutcome): void {
    this.#hasEnded = true;
    const { meters, content, emptyFires } = this.#telemetry;
    const isEmpty = outcome.results.length === 0;
    const durationMs = isEmpty ? undefined : performance.now() - this.#beganAt;
    const counted = { 'hookline.event': this.#event, 'hookline.decision': outcome.decision ?? 'none' };
    meters.countFire(durationMs, counted);
    if (isEmpty && !emptyFires) return;
    const span = this.#open();
    span.setAttributes(outcomeAttributes(outcome));
    if (content) span.setAttributes(outcomeContent(outcome));
    span.end();
  }

  fail(error: unknown): void {
    this.#hasEnded = true;
    const type = errorType(refusalType(error));
    this.#telemetry.meters.countFire(undefined, { 'hookline.event': this.#event, ...type });
    const span = this.#open();
    span.setAttributes(type);
    this.#fail(span, messageOf(error));
    span.end();
  }

  #open(): Span {
    if (this.#span !== undefined) return this.#span;
    const { tracer, content } = this.#telemetry;
    const attributes = { ...fireAttributes(this.#fire), ...(content && fireContent(this.#fire)) };
    this.#span = tracer.startSpan(`hookline.fire ${this.#event}`, { attributes }, this.#caller);
    return this.#span;
  }

  /** The message of a failure may contain output of a hook. */
  #fail(span: Span, message: string): void {
    const { api, content } = this.#telemetry;
    span.setStatus({ code: api.SpanStatusCode.ERROR, ...(content && { message: cut(message) }) });
  }
}
