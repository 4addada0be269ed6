/** The events of a question that an MCP server asks the user while one of its tools runs. */
import { open, optional, record, text, word } from '../field.js';
import { row } from '../row.js';

const action = word('accept', 'decline', 'cancel');

/** Fires when a server asks; a hook may answer in the user's place. */
export const Elicitation = row({
  input: {
    mcp_server_name: text,
    message: text,
    mode: optional(open('form', 'url')),
    url: optional(text),
    elicitation_id: optional(text),
    requested_schema: optional(record),
  },
  answer: {
    /** What the server is answered: that a person accepts, declines or cancels. */
    action: optional(action),
    /** The values of the form, with `accept`. */
    content: optional(record),
  },
  matcherField: 'mcp_server_name',
  blocks: 'action',
});

/** Fires with the answer before the server gets it; a hook may replace it. */
export const ElicitationResult = row({
  input: {
    mcp_server_name: text,
    action: open('accept', 'decline', 'cancel'),
    content: optional(record),
    mode: optional(open('form', 'url')),
    elicitation_id: optional(text),
  },
  answer: {
    /** What the server is answered: that a person accepts, declines or cancels. */
    action: optional(action),
    /** The values of the form, with `accept`. */
    content: optional(record),
  },
  matcherField: 'mcp_server_name',
  blocks: 'action',
});
