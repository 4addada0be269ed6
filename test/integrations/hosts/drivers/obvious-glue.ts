/** Glue as one would write it at first: items are put into requests, not into the conversation. It loses them. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  Agent,
  type AgentInputItem,
  tool as agentTool,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
} from '@openai/agents';
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai';
import { frameItems, type Lease } from 'hookline/injection';
import OpenAI from 'openai';
import { z } from 'zod';
import type { Host, Setup } from '../host.js';

setTracingDisabled(true);

const inputSchema = z.object({ what: z.string() });

function openAiSdk({ url, runner, mailbox, tools: list }: Setup) {
  const model = createOpenAICompatible({ name: 'loopback', baseURL: `${url}/v1` })('test-model');
  const tools = Object.fromEntries(
    list.map(({ name, run }) => [
      name,
      tool({
        inputSchema,
        execute: async (tool_input, { toolCallId: tool_use_id }) => {
          const tool_response = await run(tool_input);
          await runner.fire('PostToolUse', { tool_name: name, tool_input, tool_use_id, tool_response });
          return tool_response;
        },
      }),
    ]),
  );
  let messages: ModelMessage[] = [];
  let lease: Lease | undefined;
  return {
    async run(prompt: string) {
      messages.push({ role: 'user', content: prompt });
      for (let stop_hook_active = false; ; stop_hook_active = true) {
        const result = await generateText({
          model,
          tools,
          messages,
          stopWhen: stepCountIs(20),
          prepareStep: async ({ messages: sent }) => {
            lease = await mailbox.take({ agentId: 'main' });
            if (lease.items.length === 0) return undefined;
            return { messages: [...sent, { role: 'user', content: frameItems(lease.items) }] };
          },
          onStepFinish: () => lease?.acknowledge(),
        });
        messages = [...messages, ...result.responseMessages];
        const { decision, reason } = await runner.fire('Stop', { stop_hook_active });
        if (decision !== 'deny') return { status: 'completed' as const, text: result.text };
        messages.push({ role: 'user', content: reason ?? 'Continue.' });
      }
    },
    end: async () => {},
  };
}

function openOpenaiAgents({ url, runner, mailbox, tools: list }: Setup) {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 });
  const model = new OpenAIChatCompletionsModel(client as never, 'test-model');
  const tools = list.map(({ name, run: execute }) =>
    agentTool({
      name,
      description: name,
      parameters: inputSchema,
      execute: async (tool_input) => {
        const tool_response = await execute(tool_input);
        await runner.fire('PostToolUse', { tool_name: name, tool_input, tool_use_id: name, tool_response });
        return tool_response;
      },
    }),
  );
  const agent = new Agent({ name: 'Main', model, tools });
  let history: AgentInputItem[] = [];
  return {
    async run(prompt: string) {
      history.push({ role: 'user', content: prompt });
      for (let stop_hook_active = false; ; stop_hook_active = true) {
        const result = await run(agent, history, {
          callModelInputFilter: async ({ modelData }) => {
            const lease = await mailbox.take({ agentId: 'main' });
            await lease.acknowledge();
            if (lease.items.length === 0) return modelData;
            const item: AgentInputItem = { role: 'user', content: frameItems(lease.items) };
            return { ...modelData, input: [...modelData.input, item] };
          },
        });
        history = result.history;
        const { decision, reason } = await runner.fire('Stop', { stop_hook_active });
        if (decision !== 'deny') return { status: 'completed' as const, text: String(result.finalOutput) };
        history.push({ role: 'user', content: reason ?? 'Continue.' });
      }
    },
    end: async () => {},
  };
}

export const hosts: readonly Host[] = [
  { title: 'AI SDK', package: 'ai', cannot: {}, open: openAiSdk },
  { title: 'OpenAI Agents', package: '@openai/agents', cannot: {}, open: openOpenaiAgents },
];
