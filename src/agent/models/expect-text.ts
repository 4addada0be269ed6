/** A stream is typed by its SDK but written by a server: what must be text is looked at before it is passed on. */
import { show } from '../../base/errors.js';
import { brokenStream } from './service-error.js';

export function expectText(service: string, field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw brokenStream(service, `\`${field}\` must be text, not ${show(value)}`);
}
