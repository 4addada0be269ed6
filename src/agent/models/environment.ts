/** Chooses a model from environment variables, so that commands need no configuration. */
import { anthropicModel } from './anthropic.js';
import { openaiModel } from './openai.js';
import type { Model } from './port.js';

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_MODELS = { ANTHROPIC: 'claude-sonnet-5-5', OPENAI: 'gpt-5.4' } as const;

type Vendor = keyof typeof DEFAULT_MODELS;

const MAKERS: Readonly<Record<Vendor, typeof anthropicModel>> = {
  ANTHROPIC: anthropicModel,
  OPENAI: openaiModel,
};

/**
 * Returns an Anthropic model if `ANTHROPIC_API_KEY` is set, an OpenAI model if `OPENAI_API_KEY` is set, otherwise
 * undefined. Also reads `…_BASE_URL` and `…_MODEL`. If both keys are set, the given model name decides: `gpt-…` is
 * never sent to Anthropic. Never throws: an invalid key fails with the first request.
 */
export function modelFromEnvironment(
  env: Environment,
  options: { readonly model?: string } = {},
): Model | undefined {
  const usable = (['ANTHROPIC', 'OPENAI'] as const).filter((each) => env[`${each}_API_KEY`]);
  const named = options.model === undefined ? undefined : vendorOf(options.model);
  const vendor = usable.find((each) => each === named) ?? usable[0];
  if (vendor === undefined) return undefined;
  const baseURL = env[`${vendor}_BASE_URL`];
  return MAKERS[vendor]({
    model: options.model || env[`${vendor}_MODEL`] || DEFAULT_MODELS[vendor],
    apiKey: env[`${vendor}_API_KEY`] ?? '',
    ...(baseURL ? { baseURL } : {}),
  });
}

function vendorOf(model: string): Vendor | undefined {
  if (model.startsWith('claude')) return 'ANTHROPIC';
  return /^(gpt|chatgpt|o\d)/.test(model) ? 'OPENAI' : undefined;
}
