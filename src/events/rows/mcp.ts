/** The events of a question that an MCP server asks the user while one of its tools runs. */
import { z } from 'zod';
import { lazy } from '../../base/lazy.js';
import { open } from '../fields.js';
import { row } from '../row.js';

const action = lazy(() => z.enum(['accept', 'decline', 'cancel']));
const content = lazy(() => z.record(z.string(), z.unknown()));

/** Fires when a server asks; a hook may answer in the user's place. */
export const Elicitation = row({
  input: () => ({
    mcp_server_name: z.string(),
    message: z.string(),
    mode: open('form', 'url').optional(),
    url: z.string().optional(),
    elicitation_id: z.string().optional(),
    requested_schema: z.record(z.string(), z.unknown()).optional(),
  }),
  answer: () => ({ action: action().optional(), content: content().optional() }),
  matcherField: 'mcp_server_name',
  blocks: 'action',
});

/** Fires with the answer before the server gets it; a hook may replace it. */
export const ElicitationResult = row({
  input: () => ({
    mcp_server_name: z.string(),
    action: open('accept', 'decline', 'cancel'),
    content: content().optional(),
    mode: open('form', 'url').optional(),
    elicitation_id: z.string().optional(),
  }),
  answer: () => ({ action: action().optional(), content: content().optional() }),
  matcherField: 'mcp_server_name',
  blocks: 'action',
});
