/** Repairs the messages of a file so that a model accepts the conversation. Pure. */
import type { ContentBlock, ModelMessage, ToolResultBlock } from '../models/port.js';

/** The result of a tool use whose own result is missing. */
export const LOST_RESULT =
  'The result of this tool use is not known: the session ended before it finished. It may have had effect.';
/** Inserted before an answer whose question is missing. */
export const LOST_BEGINNING = 'The beginning of this conversation could not be read.';

/** What a user can say, apart from results. */
const USER_BLOCKS: ReadonlySet<string> = new Set<ContentBlock['type']>(['text', 'image', 'document']);

interface Draft {
  readonly role: ModelMessage['role'];
  /** The id of the last part, if several were merged. */
  id?: string | undefined;
  readonly content: ContentBlock[];
  /** The tool uses of an answer that have no result yet. */
  readonly waiting: Set<string>;
}

/**
 * The repaired conversation starts with the user, its roles alternate, and every tool use has exactly one result in
 * the next message. Results are looked up only there, because ids may be repeated later. Valid conversations are
 * unchanged.
 */
export function repairConversation(
  messages: readonly (ModelMessage & { readonly id?: string | undefined })[],
): readonly ModelMessage[] {
  const drafts: Draft[] = [];
  for (const { role, content, id } of messages) {
    if (role === 'assistant') addAnswer(drafts, id, content);
    else addUserContent(drafts, content);
  }
  if (isWaiting(drafts.at(-1))) begin(drafts, 'user');
  return drafts.map(({ role, content }, i) => ({
    role,
    content: role === 'user' ? [...lostResults(drafts[i - 1]), ...content] : content,
  }));
}

function addAnswer(drafts: Draft[], id: string | undefined, content: readonly ContentBlock[]): void {
  const last = drafts.at(-1);
  const isPart = last?.role === 'assistant' && last.id !== undefined && last.id === id;
  const waiting = new Set(isPart ? last.waiting : []);
  const kept = content.filter((block) => {
    if (block.type === 'tool_result') return false;
    if (block.type !== 'tool_use') return true;
    const isNew = !waiting.has(block.id);
    waiting.add(block.id);
    return isNew;
  });
  if (kept.length === 0) return;
  if (last === undefined) begin(drafts, 'user').content.push({ type: 'text', text: LOST_BEGINNING });
  // Two consecutive answers are merged, unless the first called tools: then their results are missing.
  if (!isPart && isWaiting(last)) begin(drafts, 'user');
  const draft = continued(drafts, 'assistant');
  draft.id = id;
  for (const block of kept) draft.content.push(block);
  for (const use of waiting) draft.waiting.add(use);
}

/** Consecutive user messages are merged, as models require. */
function addUserContent(drafts: Draft[], content: readonly ContentBlock[]): void {
  const asking = drafts.findLast(({ role }) => role === 'assistant');
  const kept = content.filter(
    (block) =>
      USER_BLOCKS.has(block.type) ||
      (block.type === 'tool_result' && asking?.waiting.delete(block.tool_use_id)),
  );
  if (kept.length === 0) return;
  const draft = continued(drafts, 'user');
  for (const block of kept) draft.content.push(block);
}

/** Returns the last message if it has this role, otherwise a new one. */
function continued(drafts: Draft[], role: Draft['role']): Draft {
  const last = drafts.at(-1);
  return last?.role === role ? last : begin(drafts, role);
}

function begin(drafts: Draft[], role: Draft['role']): Draft {
  const draft: Draft = { role, content: [], waiting: new Set() };
  drafts.push(draft);
  return draft;
}

function isWaiting(draft: Draft | undefined): boolean {
  return draft !== undefined && draft.waiting.size > 0;
}

function lostResults(asking: Draft | undefined): readonly ToolResultBlock[] {
  return [...(asking?.waiting ?? [])].map((id) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: LOST_RESULT,
    is_error: true,
  }));
}
