/** Lets prompt and agent hooks use the agent's own model. */

import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { rowOf } from '../../events/registry.js';
import type { HookModel, HookModelRequest } from '../../handlers/prompt.js';
import type { PermissionOptions } from '../../permissions/permissions.js';
import type { Model, ModelMessage } from '../models/port.js';
import type { Tool } from '../tools/tool.js';
import { readTranscript } from '../transcript/read-transcript.js';
import { AgentLoop } from './agent-loop.js';

/** Options of `createHookModel`. */
export interface HookModelOptions {
  /** The tools of agent hooks. Only read-only tools are used. */
  readonly tools?: readonly Tool[];
  /** The working directory of agent hooks. Default: that of this process. */
  readonly cwd?: string;
  /**
   * The session's rules, so that an agent hook can read no more than the agent it judges. Its mode is always
   * `dontAsk`.
   */
  readonly permissions?: PermissionOptions;
  /** Creates the model that a hook names. Default: the same model for all hooks. */
  readonly modelFor?: (name: string) => Model | undefined;
}

const OPTIONS: OptionNames<HookModelOptions> = { tools: true, cwd: true, permissions: true, modelFor: true };

const JUDGE =
  'You judge whether a condition is met. Answer with JSON and nothing else: {"ok": true} if it is, {"ok": false, "reason": "…"} if it is not, with a reason that says what is missing.';

/**
 * Creates the `model` option of `loadClaudeSettings`: runs prompt and agent hooks on the agent's own model. Throws a
 * `HookError` for an unknown option. Its `complete` rejects as the model does, which counts as a failure of the hook.
 */
export function createHookModel(model: Model, options: HookModelOptions = {}): HookModel {
  refuseUnknownOptions('createHookModel', options, OPTIONS);
  return {
    complete: (request) => {
      const named = request.model === undefined ? undefined : options.modelFor?.(request.model);
      const judge = named ?? model;
      return request.kind === 'agent' ? askAgent(judge, request, options) : askOnce(judge, request);
    },
  };
}

async function askOnce(model: Model, request: HookModelRequest): Promise<string> {
  const question: ModelMessage = { role: 'user', content: [{ type: 'text', text: request.prompt }] };
  const before = await conversationOf(request);
  let answer = '';
  const events = model.stream({
    system: JUDGE,
    messages: [...before, question],
    tools: [],
    purpose: 'hook',
    signal: request.signal,
  });
  for await (const event of events) if (event.type === 'text') answer += event.text;
  return answer;
}

/** Stop hooks judge the conversation, so they get it; for other events the input contains everything. */
async function conversationOf({ event, input }: HookModelRequest): Promise<readonly ModelMessage[]> {
  const path = input['agent_transcript_path'] ?? input['transcript_path'];
  if (rowOf(event).blocks !== 'stopping' || typeof path !== 'string' || path === '') return [];
  const agentId = 'agent_transcript_path' in input ? (input['agent_id'] as string) : undefined;
  return (await readTranscript(path, { agentId })).messages;
}

async function askAgent(
  model: Model,
  { prompt, signal }: HookModelRequest,
  { tools = [], cwd, permissions }: HookModelOptions,
): Promise<string> {
  await using loop = new AgentLoop({
    model,
    tools: tools.filter(({ readOnly }) => readOnly),
    systemPrompt: `${JUDGE} Look into the matter with your tools before you answer.`,
    transcripts: false,
    permissions: { ...permissions, mode: 'dontAsk' },
    ...(cwd !== undefined && { cwd }),
  });
  const run = loop.run(prompt, { signal });
  for (;;) {
    const step = await run.next();
    if (!step.done) continue;
    if (step.value.is_error) throw new Error(step.value.errors?.[0] ?? 'the agent gave no answer');
    return step.value.result;
  }
}
