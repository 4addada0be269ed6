/** The events of a question that an MCP server asks the user while one of its tools runs. */
import { open, optional, record, text, word } from '../field.js';
import { row } from '../row.js';

const action = word('accept', 'decline', 'cancel');

type Asked = {
  /** The server that asks; a matcher sees it. */
  mcp_server_name: string;
  /** Whether a form is shown, or a page is opened. */
  mode?: 'form' | 'url';
  /** Identifies the question. */
  elicitation_id?: string;
};

export type ElicitationInput = Asked & {
  /** What the server says to the user. */
  message: string;
  /** The page that is opened, in the mode `url`. */
  url?: string;
  /** The JSON Schema of the form. */
  requested_schema?: Record<string, unknown>;
};

export type ElicitationAnswer = {
  /** What the server is answered: that a person accepts, declines or cancels. */
  action?: 'accept' | 'decline' | 'cancel' | undefined;
  /** The values of the form, with `accept`. */
  content?: Record<string, unknown> | undefined;
};

/** Fires when a server asks; a hook may answer in the user's place. */
export const Elicitation = row<ElicitationInput, ElicitationAnswer>()({
  input: {
    mcp_server_name: text,
    message: text,
    mode: optional(open('form', 'url')),
    url: optional(text),
    elicitation_id: optional(text),
    requested_schema: optional(record),
  },
  answer: { action: optional(action), content: optional(record) },
  matcherField: 'mcp_server_name',
  blocks: 'action',
});

export type ElicitationResultInput = Asked & {
  /** What the person answered. */
  action: 'accept' | 'decline' | 'cancel';
  /** The values of the form, with `accept`. */
  content?: Record<string, unknown>;
};

/** Fires with the answer before the server gets it; a hook may replace it. */
export const ElicitationResult = row<ElicitationResultInput, ElicitationAnswer>()({
  input: {
    mcp_server_name: text,
    action: open('accept', 'decline', 'cancel'),
    content: optional(record),
    mode: optional(open('form', 'url')),
    elicitation_id: optional(text),
  },
  answer: { action: optional(action), content: optional(record) },
  matcherField: 'mcp_server_name',
  blocks: 'action',
});
