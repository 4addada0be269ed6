// Writes every event to a log in which each line holds the hash of the line before it: a line that is changed, added or
// removed shows. Check it with `hookline audit verify .hookline/audit.jsonl`. This file is yours.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { appendAudit, guard } from 'hookline/guard';

const FILE = join(process.env.CLAUDE_PROJECT_DIR || '.', '.hookline', 'audit.jsonl');
/** Longer texts are cut; their hash tells which text it was. */
const MAX_TEXT = 2000;
/** false: an agent goes on without the log, and the user reads why. true: it stops; also write onFailure: block. */
const FAIL_CLOSED = false;

await guard(async (input) => {
  const { hook_event_name: event, session_id: session, cwd, ...rest } = input;
  const { transcript_path: _, permission_mode: __, ...details } = rest;
  try {
    await appendAudit(FILE, { event, session, cwd, ...shorten(details) });
    return undefined;
  } catch (error) {
    if (FAIL_CLOSED) throw error;
    return { systemMessage: `The audit log has a gap: ${error.message}` };
  }
});

function shorten(value) {
  if (typeof value === 'string') {
    if (value.length <= MAX_TEXT) return value;
    return {
      text: value.slice(0, MAX_TEXT),
      length: value.length,
      sha256: createHash('sha256').update(value).digest('hex'),
    };
  }
  if (Array.isArray(value)) return value.slice(0, 100).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([key, each]) => [key, shorten(each)]),
  );
}
