/** Lets hooks ask the model that the agent uses: a prompt that is answered at once, an agent that looks into the matter. */

import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { rowOf } from '../../events/registry.js';
import type { HookModel, HookModelRequest } from '../../handlers/prompt/prompt.js';
import type { PermissionOptions } from '../../permissions/permissions.js';
import type { Model, ModelMessage } from '../models/port.js';
import type { Tool } from '../tools/tool.js';
import { readTranscript } from '../transcript/read-transcript.js';
import { AgentLoop } from './agent-loop.js';

/** What hooks that ask a model may use. */
export interface HookModelOptions {
  /** What an agent that judges may use: only tools that change nothing are given to it. */
  readonly tools?: readonly Tool[];
  /** Where an agent that judges works. Default: this process's directory. */
  readonly cwd?: string;
  /** The rules of the session: a judge may read no more than the agent it judges. Its mode is always `dontAsk`. */
  readonly permissions?: PermissionOptions;
  /** Makes the model that a hook names. Default: the one model for all. */
  readonly modelFor?: (name: string) => Model | undefined;
}

const OPTIONS: OptionNames<HookModelOptions> = { tools: true, cwd: true, permissions: true, modelFor: true };

const JUDGE =
  'You judge whether a condition is met. Answer with JSON and nothing else: {"ok": true} if it is, {"ok": false, "reason": "…"} if it is not, with a reason that tells what is missing.';

/**
 * What `loadClaudeSettings({ model })` takes: the agent's own model, for hooks of type prompt and agent. Throws a
 * `HookError` for an option that does not exist; its `complete` rejects as the model does, which is a failure of the hook.
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

/** Whether the work is done can only be judged by what was said and done; other events tell everything in their input. */
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
