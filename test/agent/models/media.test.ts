import { describe, expect, it } from 'vitest';
import type { ContentBlock, ModelMessage } from '../../../src/agent/models/port.js';
import { listen } from './collect.js';
import { anthropicWire } from './servers/anthropic.js';
import { type Body, sends, startLoopback } from './servers/loopback.js';
import { chatWire } from './servers/openai-chat.js';
import { responsesWire } from './servers/openai-responses.js';
import { request, type Wire } from './servers/wire.js';

const PNG = 'iVBORw0KGgo=';
const image: ContentBlock = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: PNG },
};
const linked: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
const pdf: ContentBlock = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
  title: 'plan.pdf',
};
const notes: ContentBlock = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'Remember.' },
  title: 'notes.txt',
};
const text: ContentBlock = { type: 'text', text: 'What is it?' };

async function sent(wire: Wire, messages: readonly ModelMessage[]): Promise<Body> {
  const server = await startLoopback(wire, [sends(wire.events({ texts: ['Fine.'] }))]);
  const { error } = await listen(
    wire.model(server.url, wire === anthropicWire ? UNCACHED : {}),
    request({ messages }),
  );
  expect(error).toBeUndefined();
  return server.received[0]?.body ?? {};
}

const UNCACHED = { cache: false } as object;

describe('images and files in a prompt', () => {
  const messages: readonly ModelMessage[] = [{ role: 'user', content: [image, linked, pdf, notes, text] }];

  it('MO-37: Messages API: as they are', async () => {
    expect((await sent(anthropicWire, messages))['messages']).toEqual(messages);
  });

  it('MO-37: chat completions: data URLs and file parts', async () => {
    expect((await sent(chatWire, messages))['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'file', file: { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
          { type: 'text', text: 'notes.txt:\nRemember.' },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ]);
  });

  it('MO-37: responses: input images and input files', async () => {
    expect((await sent(responsesWire, messages))['input']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` },
          { type: 'input_image', detail: 'auto', image_url: 'https://example.com/a.png' },
          { type: 'input_file', filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
          { type: 'input_text', text: 'notes.txt:\nRemember.' },
          { type: 'input_text', text: 'What is it?' },
        ],
      },
    ]);
  });

  it('MO-37: files by address, where the format has them', async () => {
    const file: ContentBlock = {
      type: 'document',
      source: { type: 'url', url: 'https://example.com/a.pdf' },
    };
    const prompt: readonly ModelMessage[] = [{ role: 'user', content: [file] }];
    expect((await sent(responsesWire, prompt))['input']).toEqual([
      { role: 'user', content: [{ type: 'input_file', file_url: 'https://example.com/a.pdf' }] },
    ]);
    expect((await sent(chatWire, prompt))['messages']).toEqual([
      { role: 'user', content: '[a file: https://example.com/a.pdf]' },
    ]);
  });
});

describe('images and files in tool results', () => {
  const calls: readonly ContentBlock[] = ['call_m1', 'call_m2'].map((id) => ({
    type: 'tool_use',
    id,
    name: 'Look',
    input: {},
  }));
  const result = (id: string, content: readonly ContentBlock[], is_error?: boolean): ContentBlock => ({
    type: 'tool_result',
    tool_use_id: id,
    content: content as never,
    ...(is_error !== undefined && { is_error }),
  });
  const messages: readonly ModelMessage[] = [
    { role: 'user', content: [text] },
    { role: 'assistant', content: calls },
    {
      role: 'user',
      content: [
        result('call_m1', [{ type: 'text', text: 'A' }, image]),
        result('call_m2', [pdf], true),
        text,
      ],
    },
  ];

  it('MO-9: Messages API: as they are', async () => {
    const [prompt, answer] = messages;
    expect((await sent(anthropicWire, messages))['messages']).toEqual([
      prompt,
      answer,
      {
        role: 'user',
        content: [
          result('call_m1', [{ type: 'text', text: 'A' }, image]),
          // The API accepts only texts in a result that is marked as failed.
          result('call_m2', [{ type: 'text', text: 'Error:' }, pdf]),
          text,
        ],
      },
    ]);
  });

  it('MO-9: chat completions: behind all results, which say so', async () => {
    expect(((await sent(chatWire, messages))['messages'] as unknown[]).slice(2)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'call_m1',
        content: 'A\n[Image 1: see the message after the results]',
      },
      {
        role: 'tool',
        tool_call_id: 'call_m2',
        content: 'Error:\n[File 2: see the message after the results]',
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[Image 1, from the result of the call call_m1]' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'text', text: '[File 2, from the result of the call call_m2]' },
          { type: 'file', file: { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ]);
  });

  it('MO-9: responses: as parts of the output', async () => {
    expect(((await sent(responsesWire, messages))['input'] as unknown[]).slice(3, 5)).toEqual([
      {
        type: 'function_call_output',
        call_id: 'call_m1',
        output: [
          { type: 'input_text', text: 'A' },
          { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` },
        ],
      },
      {
        type: 'function_call_output',
        call_id: 'call_m2',
        output: [
          { type: 'input_text', text: 'Error:' },
          { type: 'input_file', filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
        ],
      },
    ]);
  });
});
