/** Fires SessionStart whenever a session starts, resumes, or continues after a compaction or clear. */
import { costOf, priceOf } from '../models/prices.js';
import { remindOfContext } from './reminders.js';
import type { Session } from './session.js';
import { takeTitle, titleField } from './title.js';

export type StartSource = 'startup' | 'resume' | 'fork' | 'clear' | 'compact';

/** The sources with which a session begins; the others are within one. */
const BEGINNINGS: ReadonlySet<StartSource> = new Set(['startup', 'resume', 'fork']);

/** What a resumed session knows about its past. */
export interface Before {
  readonly lastAssistantAt?: number | undefined;
  readonly contextTokens?: number | undefined;
}

/** Services drop their prompt cache after this time. */
export const CACHE_LIFETIME_SECONDS = 300;

export async function fireSessionStart(
  session: Session,
  source: StartSource,
  signal: AbortSignal,
  before: Before = {},
): Promise<void> {
  const { main } = session;
  const outcome = await session.hooks.fire(
    'SessionStart',
    main,
    { source, model: main.model.name, ...titleField(session), ...pastOf(session, before) },
    { signal },
  );
  main.nextContext.push(...remindOfContext(`SessionStart:${source}`, outcome.additionalContext));
  if (BEGINNINGS.has(source)) {
    takeTitle(session, outcome);
    for (const { initialUserMessage } of outcome.hookSpecificOutputs)
      if (initialUserMessage?.trim()) session.firstPrompts.push(initialUserMessage);
  }
  if (outcome.continue === false) session.halt = { reason: 'hook_stopped', stopReason: outcome.stopReason };
}

function pastOf(
  { main, options }: Session,
  { lastAssistantAt, contextTokens }: Before,
): Record<string, unknown> {
  const seconds =
    lastAssistantAt === undefined
      ? undefined
      : Math.max(0, Math.round((Date.now() - lastAssistantAt) / 1000));
  const price = priceOf(main.model.name, options.prices);
  const cost =
    contextTokens === undefined || price === undefined
      ? undefined
      : costOf({ inputTokens: 0, outputTokens: 0, cacheCreationInputTokens: contextTokens }, price);
  return {
    ...(seconds !== undefined && {
      seconds_since_last_response: seconds,
      prompt_cache_likely_expired: seconds > CACHE_LIFETIME_SECONDS,
    }),
    ...(contextTokens !== undefined && { context_tokens: contextTokens }),
    ...(cost !== undefined && { estimated_cache_write_usd: cost }),
  };
}
