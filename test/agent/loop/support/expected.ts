/** What the model has to read behind one call, `call-1`, as each format has it. */

type Messages = readonly unknown[];

/** The result, and nothing beside it. */
export const readsResult = (content: string): { anthropic: Messages; chat: Messages } => ({
  anthropic: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content }] }],
  chat: [{ role: 'tool', tool_call_id: 'call-1', content }],
});

/** An error, and nothing beside it. */
export const readsError = (content: string): { anthropic: Messages; chat: Messages } => ({
  anthropic: [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content, is_error: true }] },
  ],
  chat: [{ role: 'tool', tool_call_id: 'call-1', content: `Error: ${content}` }],
});

/** The result, and behind it one text each. */
export const readsBeside = (content: string, ...texts: readonly [string, ...string[]]) => ({
  anthropic: [
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call-1', content },
        ...texts.map((text) => ({ type: 'text', text })),
      ],
    },
  ],
  chat: [
    { role: 'tool', tool_call_id: 'call-1', content },
    { role: 'user', content: texts.length === 1 ? texts[0] : texts.map((text) => ({ type: 'text', text })) },
  ],
});

/** The mark of what the program says, as the model reads it. */
export const reminder = (text: string): string => `<system-reminder>\n${text}\n</system-reminder>`;
