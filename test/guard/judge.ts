/** Calls the judgement of a ready guard in this process, so that many lines take little time. */
import { vi } from 'vitest';
import * as library from '../../src/guard/index.js';

export interface Judged {
  readonly decision: 'none' | 'ask' | 'deny';
  readonly reason: string;
  readonly answer: unknown;
}

type Judge = (input: library.GuardInput) => unknown;

let judge: Judge | undefined;
const loadedGuards = new Map<string, Judge | undefined>();
vi.mock('hookline/guard', () => ({
  ...library,
  guard: (given: Judge) => {
    judge = given;
  },
}));

/** Imports a ready guard, as a hook of a folder. */
export async function loadGuard(name: string): Promise<(fields: object, cwd: string) => Promise<Judged>> {
  // A module is evaluated once.
  if (!loadedGuards.has(name)) {
    judge = undefined;
    await import(`../../src/guard/ready/${name}.mjs`);
    loadedGuards.set(name, judge);
  }
  const loaded = loadedGuards.get(name);
  if (loaded === undefined) throw new Error(`${name}.mjs does not call guard.`);
  return async (fields, cwd) => {
    const input = { hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name: 'Bash', ...fields };
    return read(await loaded(input));
  };
}

function read(answer: unknown): Judged {
  const { decision, reason, hookSpecificOutput } = (answer ?? {}) as {
    decision?: string;
    reason?: string;
    hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string };
  };
  if (decision === 'block') return { decision: 'deny', reason: reason ?? '', answer };
  const asks = hookSpecificOutput?.permissionDecision === 'ask';
  return {
    decision: asks ? 'ask' : 'none',
    reason: hookSpecificOutput?.permissionDecisionReason ?? '',
    answer,
  };
}
