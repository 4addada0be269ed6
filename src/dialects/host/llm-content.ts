/** The output of a tool as Gemini CLI and Qwen Code write it: what the model reads, and what people see. */
import type { Spelling } from './host.js';

export const llmText: NonNullable<Spelling['response']> = {
  fromHost(value) {
    const { llmContent } = (value ?? {}) as { readonly llmContent?: unknown };
    return typeof llmContent === 'string' ? llmContent : value;
  },
  toHost(value) {
    if (typeof value === 'object' && value !== null && 'llmContent' in value) return value;
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return { llmContent: shown, returnDisplay: shown };
  },
};
