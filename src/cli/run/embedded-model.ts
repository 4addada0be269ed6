/** The fallback model if none is configured: it demonstrates a run and says what it is. */
import type { Model, ModelRequest } from '../../agent/models/port.js';
import { scriptedModel } from '../../agent/models/scripted.js';

const isAnswered = ({ messages, purpose }: ModelRequest): boolean =>
  purpose === 'turn' && messages.at(-1)?.content.some(({ type }) => type === 'tool_result') === true;

/** For every prompt it calls one tool, so that hooks fire, and then says how to configure a real model. */
export function embeddedModel(): Model {
  return scriptedModel(
    [
      {
        when: isAnswered,
        text: 'That is all I can do. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or give --script FILE, to use a real model.',
        repeat: true,
      },
      {
        text: 'I am the embedded model: I only demonstrate a run. I look around.',
        tools: [{ name: 'Bash', input: { command: 'ls', description: 'Look around' } }],
        repeat: true,
      },
      { when: 'summary', text: '<summary>The embedded model looked around.</summary>', repeat: true },
      { when: 'hook', text: '{"ok": true}', repeat: true },
    ],
    { name: 'embedded' },
  );
}
