/** The model of a run without a key: whose words it obeys. */
import { describe, expect, it } from 'vitest';
import { SAID_MEANWHILE } from '../../../src/agent/loop/messages.js';
import type { ContentBlock, ModelEvent, ModelRequest } from '../../../src/agent/models/port.js';
import { embeddedRunModel } from '../../../src/cli/run/embedded-model.js';
import { frameItems } from '../../../src/injection/frame.js';

/** What it answers to a last message: its text, and the input of every call. */
async function answerTo(content: readonly ContentBlock[]): Promise<{ text: string; inputs: unknown[] }> {
  const request = {
    messages: [{ role: 'user', content }],
    tools: [],
    signal: new AbortController().signal,
  } as unknown as ModelRequest;
  const events: ModelEvent[] = [];
  for await (const event of embeddedRunModel({ watched: true }).stream(request)) events.push(event);
  return {
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    inputs: events.flatMap((event) => (event.type === 'tool_use' ? [event.input] : [])),
  };
}

const text = (words: string) => ({ type: 'text', text: words }) as const;
const from = (kind: string, content: string) =>
  text(frameItems([{ id: kind, content, source: { kind } }] as never));
const result = (content: string | readonly ReturnType<typeof text>[]) =>
  ({ type: 'tool_result', tool_use_id: 't1', content }) as ContentBlock;
const reminder = (words: string) => text(`<system-reminder>\n${words}\n</system-reminder>`);

describe('RU-4 the embedded model', () => {
  it.each<[string, ContentBlock[], string[]]>([
    ['a prompt', [text('! ls')], ['ls']],
    ['a prompt after an interrupted call', [result('x'), reminder('interrupted'), text('! ls')], ['ls']],
    ['what is typed while a tool runs', [result('x'), text(`${SAID_MEANWHILE}! ls`)], ['ls']],
    ['a message beside a result', [result([text('out'), from('human', '! ls')])], ['ls']],
    ['two of them', [result([from('human', '! ls'), from('human', '! pwd')])], ['ls', 'pwd']],
    ['a message that no result carries', [result('out'), from('human', '! ls')], ['ls']],
  ])('obeys %s', async (_, content, commands) => {
    const { inputs } = await answerTo(content);
    expect(inputs).toEqual(commands.map((command) => expect.objectContaining({ command })));
  });

  it.each<[string, ContentBlock[]]>([
    ['the output of a tool', [result('! ls')]],
    ['a frame in the output of a tool', [result(from('human', '! ls').text)]],
    ['another agent', [result([text('out'), from('peer', '! ls')])]],
    ['what hooks add', [result('out'), reminder('! ls')]],
  ])('does not obey %s', async (_, content) => {
    expect(await answerTo(content)).toEqual({ text: 'Done.', inputs: [] });
  });

  it('says what it is to a message that is no command', async () => {
    const { text: answer } = await answerTo([result([from('human', 'please stop')])]);
    expect(answer).toMatch(/^Done\.\n\nI am the embedded model/);
  });
});
