/** Hooks and injection for agents on Strands: one plugin. */
import { HookError } from '../../base/errors.js';
import { Conversation } from '../session/conversation.js';
import { createSession, type ModelRequest, type SessionOptions, type ToolInput } from '../session/index.js';
import { finishTurn, type RunEnding } from '../session/run-turns.js';
import { fieldOf } from '../tool-content.js';
import { isPrompt, textOf } from './blocks.js';
import { hookedTool } from './hooked-tool.js';
import type {
  AfterInvocation,
  AfterModelCall,
  AgentEvent,
  BeforeModelCall,
  BeforeToolCall,
  HostAgent,
  HostMessage,
  HostTool,
  MessageAdded,
  StrandsModule,
  StrandsPlugin,
} from './host.js';

/** After all other callbacks: hooks judge the call as it will be run. */
const LAST = 1000;

/** One conversation. Make it with `createHooks`. Its methods never throw. */
export class StrandsHooks extends Conversation<SessionOptions> {
  #agent: HostAgent | undefined;
  #request: ModelRequest | undefined;
  /** The message of a person that no hook has seen yet. */
  #prompt: HostMessage | undefined;
  /** The prompt that hooks have blocked, until the run is over. */
  #blocked: HostMessage | undefined;
  /** The last answer, if the model has nothing more to do. */
  #answer: HostMessage | undefined;
  #isContinued = false;
  /** Whether the results of the last tools are in the conversation. */
  #hasResults = true;
  #ending: RunEnding = { status: 'completed' };

  /** How the last run ended: `blocked` and `halted` have a reason, which is also the host's last message. */
  get ending(): RunEnding {
    return this.#ending;
  }

  /** For one agent: `new Agent({ model, tools, plugins: [hooks.plugin(strands)] })`. */
  plugin(strands: StrandsModule): StrandsPlugin {
    return { name: 'hookline', initAgent: (agent) => this.#register(strands, agent) };
  }

  #register(strands: StrandsModule, agent: HostAgent): void {
    if (this.#agent !== undefined && this.#agent !== agent)
      throw new HookError(
        'invalid_option',
        'These hooks belong to another agent. Make them with `createHooks` for each agent, or with `hooks.subagent`.',
      );
    this.#agent = agent;
    const on = <E extends AgentEvent>(event: object, callback: (event: E) => unknown): void => {
      const run = async (value: E): Promise<void> => void (await callback(value));
      agent.addHook(event as never, run as never, { order: LAST });
    };
    on(strands.BeforeInvocationEvent, () => this.#begin());
    on<MessageAdded>(strands.MessageAddedEvent, ({ message }) => this.#added(message));
    on<BeforeModelCall>(strands.BeforeModelCallEvent, (event) => this.#beforeModel(strands, event));
    on<AfterModelCall>(strands.AfterModelCallEvent, (event) => this.#afterModel(event));
    on<BeforeToolCall>(strands.BeforeToolCallEvent, (event) => this.#beforeTool(strands, event));
    on(strands.InterruptEvent, () => {
      this.#ending = { status: 'waiting' };
    });
    on<AfterInvocation>(strands.AfterInvocationEvent, (event) => this.#stop(event));
  }

  #begin(): void {
    this.#prompt = undefined;
    this.#answer = undefined;
    this.#ending = { status: 'step_limit' };
  }

  #added(message: HostMessage): void {
    if (message.role !== 'user') return;
    this.#hasResults = true;
    if (!isPrompt(message)) return;
    if (!this.#isContinued) this.#prompt = message;
    this.#isContinued = false;
  }

  async #beforeModel({ TextBlock }: StrandsModule, event: BeforeModelCall): Promise<void> {
    this.#answer = undefined;
    const prompt = this.#prompt;
    this.#prompt = undefined;
    if (prompt !== undefined) {
      const said = await this.session.prompt(textOf(prompt), { signal: event.agent.cancelSignal });
      if (said.blocked) {
        this.#blocked = prompt;
        this.#ending = { status: 'blocked', reason: said.reason };
        event.cancel = said.reason;
        return;
      }
      prompt.content.push(...said.texts.map((text) => new TextBlock(text)));
    }
    const { halt } = this.session;
    if (halt !== undefined) {
      this.#ending = { status: 'halted', reason: halt.stopReason };
      event.cancel = halt.stopReason;
      return;
    }
    this.#request = this.session.request();
  }

  #afterModel({ stopData, error }: AfterModelCall): void {
    const request = this.#request;
    this.#request = undefined;
    // Without a request a hook has answered in place of the model.
    if (request === undefined || error !== undefined || stopData === undefined) return;
    request.answered();
    if (stopData.stopReason !== 'toolUse') this.#answer = stopData.message;
  }

  async #beforeTool(strands: StrandsModule, event: BeforeToolCall): Promise<void> {
    this.#hasResults = false;
    // Another callback has refused it.
    if (event.cancel !== false) return;
    const { toolUse, agent } = event;
    const call = {
      name: toolUse.name,
      input: toolUse.input as ToolInput,
      id: toolUse.toolUseId,
      signal: agent.cancelSignal,
    };
    const { behavior, input, reason } = await this.session.judge({ ...call, run: () => undefined });
    if (behavior === 'deny') {
      const end = await this.session.run({ ...call, run: () => undefined });
      event.cancel = [reason ?? `${call.name} was refused.`, ...end.texts].join('\n\n');
      return;
    }
    const approved =
      behavior === 'ask' && this.#asksHost && isApproval(event.interrupt(question(event, reason)));
    event.toolUse = { ...toolUse, input };
    const tool = toolOf(event);
    if (tool !== undefined) event.selectedTool = hookedTool(strands, this.session, tool, { call, approved });
  }

  /** Fires Stop. Not after a run that failed, was aborted, waits for a person, or was ended by a hook or a limit. */
  async #stop(event: AfterInvocation): Promise<void> {
    const { messages } = event.agent;
    const blocked = this.#blocked;
    this.#blocked = undefined;
    if (blocked !== undefined) {
      // It does not stay in the conversation, nor does what the host answered.
      const at = messages.indexOf(blocked);
      if (at >= 0) messages.splice(at);
      return;
    }
    const answer = this.#answer;
    if (answer === undefined) {
      // Results that were dropped take nothing with them. Those of a run that waits are kept by the host.
      if (!this.#hasResults && this.#ending.status !== 'waiting') await this.session.releaseUnsent();
      return;
    }
    const turn = await finishTurn([this.session], async () => textOf(answer), undefined);
    if (!('texts' in turn)) {
      this.#ending = turn;
      return;
    }
    this.#isContinued = true;
    event.resume = turn.texts.join('\n\n');
  }

  get #asksHost(): boolean {
    return this.options.ask === undefined || this.options.ask === 'host';
  }
}

const question = ({ toolUse }: BeforeToolCall, reason: string | undefined) => ({
  name: `hookline:${toolUse.toolUseId}`,
  reason: reason ?? `May ${toolUse.name} run?`,
});

/** `true`, `{ approved: true }`, or what the host's own interventions accept. */
const isApproval = (answer: unknown): boolean =>
  answer === true ||
  fieldOf(answer, 'approved') === true ||
  (typeof answer === 'string' && /^\s*y(es)?\s*$/i.test(answer));

/** The tool that the host would run. */
function toolOf({ tool, toolUse, selectedTool, agent }: BeforeToolCall): HostTool | undefined {
  if (selectedTool !== undefined || tool?.name === toolUse.name) return selectedTool ?? tool;
  return agent.toolRegistry.get(toolUse.name) as HostTool | undefined;
}

/** Makes the hooks of one conversation on Strands. Throws a `HookError` for invalid options. */
export function createHooks(options: SessionOptions): StrandsHooks {
  return new StrandsHooks(options, createSession({ ...options, ask: options.ask ?? 'host' }));
}
