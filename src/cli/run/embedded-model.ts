/** The model that answers when there is no other: it shows how a run goes, and says what it is. */
import type { Model, ModelRequest } from '../../agent/models/port.js';
import { scriptedModel } from '../../agent/models/scripted.js';

const isAnswered = ({ messages, purpose }: ModelRequest): boolean =>
  purpose === 'turn' && messages.at(-1)?.content.some(({ type }) => type === 'tool_result') === true;

/** For every prompt: it looks around once, with a tool that hooks see, and then says what would be needed. */
export function embeddedModel(): Model {
  return scriptedModel(
    [
      {
        when: isAnswered,
        text: 'That is all I can do. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or give --script FILE, and a real model takes my place.',
        repeat: true,
      },
      {
        text: 'I am the embedded model: I only show how a run goes. I look around.',
        tools: [{ name: 'Bash', input: { command: 'ls', description: 'Look around' } }],
        repeat: true,
      },
      { when: 'summary', text: '<summary>The embedded model looked around.</summary>', repeat: true },
      { when: 'hook', text: '{"ok": true}', repeat: true },
    ],
    { name: 'embedded' },
  );
}
