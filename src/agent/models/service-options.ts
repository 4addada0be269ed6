/** Options of single services. A separate file, so that their types can be read where no SDK is installed. */
import type { ServiceOptions } from './options.js';

/** How Claude thinks before it answers. `adaptive`: it decides itself. Which forms a model accepts depends on the model. */
export type AnthropicThinking =
  | { readonly type: 'adaptive'; readonly display?: 'summarized' | 'omitted' }
  /** `budgetTokens`: at least 1,024. They count towards `maxTokens`. */
  | { readonly type: 'enabled'; readonly budgetTokens: number; readonly display?: 'summarized' | 'omitted' }
  | { readonly type: 'disabled' };

export interface AnthropicBodyOptions extends ServiceOptions {
  readonly thinking?: AnthropicThinking;
  readonly cache?: CacheLifetime | false;
}

/** How long what is cached stays there without being read. */
export type CacheLifetime = '5m' | '1h';

export interface ResponsesBodyOptions extends ServiceOptions {
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed';
}
