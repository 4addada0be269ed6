/** What the three formats have in common, for tests that hold for all of them. */

import { createHash } from 'node:crypto';
import type { ServiceOptions } from '../../../../src/agent/models/options.js';
import type { Model, ModelRequest, ModelUsage } from '../../../../src/agent/models/port.js';
import type { Rules } from './loopback.js';

/** An answer, as a model would give it: texts in these pieces, then calls whose arguments come in these pieces. */
export interface Answer {
  /** What the model thinks first: readable in these pieces, and a part that only the service can read. */
  readonly thinking?: { readonly pieces: readonly string[]; readonly redacted?: string };
  readonly texts?: readonly string[];
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly json: readonly string[];
  }[];
  /** Default: USAGE. */
  readonly usage?: ModelUsage;
  /** In the words of the format; absent: what fits. */
  readonly stop?: string;
}

/** Reasoning that a service expects back with the call it led to. Ids of calls are unique within a session. */
export class Expectations<Expected> {
  readonly #byCall = new Map<string, Expected>();

  /** Called for every answer, so that ids may be used again in another session. */
  set({ calls = [] }: Answer, expected: Expected | undefined): void {
    for (const { id } of calls)
      if (expected === undefined) this.#byCall.delete(id);
      else this.#byCall.set(id, expected);
  }

  of(call: string | undefined): Expected | undefined {
    return this.#byCall.get(call ?? '');
  }
}

/** A seal that shows whether a text was changed. */
export const seal = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Every answer reports these. */
export const USAGE = { inputTokens: 21, outputTokens: 7 };

export interface Wire extends Rules {
  readonly name: string;
  model(url: string, options?: Partial<ServiceOptions>): Model;
  /** The events of a whole answer, one text each. */
  events(answer: Answer): readonly string[];
  /** An event that says that the service is overloaded, within a stream. */
  overloadedEvent(message: string): string;
}

export const event = (name: string | undefined, data: object | string): string => {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
};

export function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: '',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    purpose: 'turn',
    signal: new AbortController().signal,
    ...fields,
  };
}
