/** Changes the model of the main agent, with the hooks before and after it. */
import { HookError } from '../../base/errors.js';
import type { FireInput } from '../../events/types.js';
import type { Model } from '../models/port.js';
import { costOf, priceOf } from '../models/prices.js';
import type { Agent } from './agent.js';
import { estimateTokens } from './context-window.js';
import { remindOfContext } from './reminders.js';
import type { Session } from './session.js';
import { CACHE_LIFETIME_SECONDS } from './session-start.js';

/** Rejects with a `HookError` if a hook refuses the model, or wants a person to decide, and leaves the model as it is. */
export async function switchModel(session: Session, model: Model): Promise<void> {
  const { main } = session;
  const own = describe(session, main, model, 'sdk');
  const outcome = await session.hooks.fire('PreModelSwitch', main, own);
  if (outcome.decision !== undefined && outcome.decision !== 'allow') {
    const why =
      outcome.decision === 'deny' ? 'A hook refused it' : 'A hook wants a person to decide about it';
    const reason = outcome.reason === undefined ? '' : `: ${outcome.reason}`;
    throw new HookError('refused', `The model stays ${main.model.name}. ${why}${reason}`);
  }
  main.setModel(model);
  await firePostModelSwitch(session, main, own);
}

/** Another model takes over by itself: hooks cannot prevent that, but learn of it. */
export async function fallBackTo(session: Session, agent: Agent, model: Model): Promise<void> {
  const own = describe(session, agent, model, 'auto');
  agent.fallBackTo(model);
  await firePostModelSwitch(session, agent, own);
}

type Switch = FireInput<'PostModelSwitch'>;

async function firePostModelSwitch(session: Session, agent: Agent, own: Switch): Promise<void> {
  const outcome = await session.hooks.fire('PostModelSwitch', agent, own);
  const texts = remindOfContext(outcome.event, outcome.additionalContext);
  // A request that is sent again has its messages already.
  if (texts.length > 0 && own.source === 'auto') agent.appendUserMessage(texts, { isMeta: true });
  else agent.nextContext.push(...texts);
}

function describe(
  { options, lastAnswerAt }: Session,
  agent: Agent,
  { name }: Model,
  source: 'sdk' | 'auto',
): Switch {
  const tokens = estimateTokens(agent);
  const own = options.prices !== undefined && Object.hasOwn(options.prices, name);
  const price = priceOf(name, options.prices);
  const usage = { inputTokens: 0, outputTokens: 0, cacheCreationInputTokens: tokens };
  return {
    from_model: agent.model.name,
    to_model: name,
    requested_model: name,
    source,
    context_tokens: tokens,
    prompt_cache_warm:
      lastAnswerAt !== undefined && Date.now() - lastAnswerAt < CACHE_LIFETIME_SECONDS * 1000,
    cache_ttl: '5m',
    estimated_cache_write_usd: price === undefined ? 0 : costOf(usage, price),
    pricing: own ? 'configured' : price === undefined ? 'default' : 'catalog',
  };
}
