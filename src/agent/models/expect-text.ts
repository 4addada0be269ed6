/** Checks that a field of a stream is text: the SDK types it, but a server wrote it. */
import { show } from '../../base/errors.js';
import { brokenStream } from './service-error.js';

export function expectText(service: string, field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw brokenStream(service, `\`${field}\` must be text, not ${show(value)}`);
}
