/** Converts an outcome to the response for the SDK, including everything the model should read with it. */
import type { SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import type { AnyEvent } from '../../events/types.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { contextBy, systemMessagesForModel } from '../model-texts.js';
import { toSdkAnswer } from './answer.js';
import { type CarriedItems, NO_ITEMS, type PreparedItems, SEPARATOR } from './carried-items.js';
import type { SdkRunner, Settings } from './options.js';
import { formFor, type Role } from './roles.js';

/** An event for which the SDK calls the hooks. */
export interface Question {
  readonly event: AnyEvent;
  readonly role: Role;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseID: string | undefined;
  /** Whether it certainly belongs to the main agent. */
  readonly isMain: boolean;
}

export interface Written {
  readonly answer: SyncHookJSONOutput;
  readonly prepared: PreparedItems;
}

export class AnswerWriter {
  readonly #settings: Settings;
  readonly #runner: SdkRunner;
  readonly #items: CarriedItems;
  readonly #stops: StopCount;
  /** Hook texts for the model that could not be delivered yet. */
  #later: readonly string[] = [];

  constructor(settings: Settings, runner: SdkRunner, items: CarriedItems) {
    this.#settings = settings;
    this.#runner = runner;
    this.#items = items;
    this.#stops = new StopCount(settings.maxStops);
  }

  /** Keeps what the hooks of an event say to the model that the SDK has not asked about. */
  deliverLater(outcome: HookOutcome): void {
    this.#later = [...this.#later, ...contextBy(outcome), ...systemMessagesForModel(outcome)];
  }

  write(question: Question, outcome: HookOutcome): Promise<Written> {
    const { role } = question;
    const messages = systemMessagesForModel(outcome);
    const ends = role === 'turn-ends' || role === 'subagent-ends';
    if (!formFor(question.event).acceptsContext) this.#later = [...this.#later, ...messages];
    return ends ? this.#writeEnd(question, outcome) : this.#writePlain(question, outcome, messages);
  }

  async #writePlain(question: Question, outcome: HookOutcome, messages: readonly string[]): Promise<Written> {
    const { event, input } = question;
    const delivers = this.#delivers(question, outcome);
    const texts = [...contextBy(outcome), ...messages, ...(delivers ? this.#takeLater() : [])];
    const prepared = delivers
      ? await this.#items.prepare(event, toolNameOf(input), lengthOf(texts))
      : NO_ITEMS;
    const context = [...texts, ...prepared.texts].join(SEPARATOR);
    const answer = toSdkAnswer(event, outcome, input, { context, onAsk: this.#settings.onAsk });
    return { answer, prepared };
  }

  /** At the end of a turn, a text for the model makes the agent continue. */
  async #writeEnd(question: Question, outcome: HookOutcome): Promise<Written> {
    const { event, role, input } = question;
    const { onAsk, deliverOnStop } = this.#settings;
    const ends = outcome.continue === false;
    const context = ends ? [] : contextBy(outcome);
    const asked = !ends && (outcome.decision === 'deny' || outcome.continue === true);
    const reason = outcome.reason ?? (context.length > 0 ? undefined : 'A hook asks you to continue.');
    const texts = [...(asked && reason !== undefined ? [reason] : []), ...context];
    const delivers = !ends && role === 'turn-ends' && (texts.length > 0 || deliverOnStop === true);
    const prepared = delivers ? await this.#items.prepare(event, undefined, lengthOf(texts)) : NO_ITEMS;
    const goOn = [...texts, ...prepared.texts].join(SEPARATOR);
    const write = (more: { goOn?: string; notice?: string }): SyncHookJSONOutput =>
      toSdkAnswer(event, outcome, input, { context: '', onAsk, ...more });
    if (goOn === '') return { answer: write({}), prepared };
    const agent = role === 'turn-ends' ? '' : String(input['agent_id']);
    if (this.#stops.mayGoOn(agent, input['stop_hook_active'] === true))
      return { answer: write({ goOn }), prepared };
    prepared.release();
    const notice = `Hooks of ${event} have prevented the end ${this.#stops.most} times in a row; the agent stops now.`;
    return { answer: write({ notice }), prepared: NO_ITEMS };
  }

  /** Only if the main agent's model is certain to be called next, with the content of this response. */
  #delivers({ role, isMain }: Question, { decision, continue: goesOn }: HookOutcome): boolean {
    if (!isMain || goesOn === false) return false;
    const refuses = decision === 'deny' || decision === 'defer';
    if (role === 'prompt') return !refuses;
    if (role === 'tool-begins') return refuses || (decision === 'ask' && this.#settings.onAsk === 'deny');
    return role === 'tool-ended';
  }

  /** Earlier texts, and those that background hooks have produced since. */
  #takeLater(): string[] {
    const late = this.#runner.takeLate?.(this.#settings.agentId) ?? [];
    const texts = late.flatMap(({ additionalContext, systemMessage }) => [additionalContext, systemMessage]);
    const all = [...this.#later, ...texts.filter((text) => text !== undefined)];
    this.#later = [];
    return all;
  }
}

const toolNameOf = ({ tool_name: name }: Question['input']): string | undefined =>
  typeof name === 'string' ? name : undefined;

const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length + SEPARATOR.length, 0);

/** Counts how many times in a row an agent was kept from ending, because the host itself has no limit. */
class StopCount {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it may be kept from ending once more; `goesOn`: it already was since its last prompt. */
  mayGoOn(agent: string, goesOn: boolean): boolean {
    const count = goesOn ? (this.#counts.get(agent) ?? 0) : 0;
    if (count >= this.#most) return false;
    this.#counts.set(agent, count + 1);
    return true;
  }

  get most(): number {
    return this.#most;
  }
}
