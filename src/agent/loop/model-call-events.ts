/** The events around a request to the model: `new Runner({ events: { PreModelCall, PostModelCall } })` makes them known. */
import { z } from 'zod';
import { defineEvent } from '../../events/define-event.js';
import { open } from '../../events/field.js';

const block = z.looseObject({ type: z.string() });
const content = z.array(block);
const message = z.looseObject({ role: z.enum(['user', 'assistant']), content });
const tool = z.looseObject({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
});
const request = { system: z.string(), messages: z.array(message), tools: z.array(tool) };

const call = {
  /** The name of the model that is asked. */
  model: z.string(),
  purpose: open('turn', 'summary').schema(),
  /** The same before and after the call. */
  call_id: z.string(),
};

/**
 * Fires before each request to the model. A refusal prevents it. `updatedInput` is the whole new request, `model` the name
 * of another model, and `answer` an answer in the place of the model's.
 */
export const PreModelCall = defineEvent({
  input: { ...call, request: z.looseObject(request) },
  answer: {
    updatedInput: z.object(request).optional(),
    model: z.string().optional(),
    answer: z.object({ content }).optional(),
  },
  matcherField: 'model',
  blocks: true,
  rewrites: 'request',
});

/** Fires after the model has answered, before anybody sees the answer. A refusal drops it; `updatedOutput` is the whole new content. */
export const PostModelCall = defineEvent({
  input: {
    ...call,
    content,
    stop_reason: z.string(),
    usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
    duration_ms: z.number(),
  },
  answer: { updatedOutput: content.optional() },
  matcherField: 'model',
  blocks: true,
  rewritesOutput: 'content',
});
