/** Every hostile line of the corpus. */
import { CARRIERS } from './carriers.js';
import { ENVIRONMENT } from './environment.js';
import { GRAMMAR } from './grammar.js';
import { SEARCHES } from './searches.js';
import { SECRETS } from './secrets.js';
import type { HostileLine } from './situations.js';

export const HOSTILE: readonly HostileLine[] = [
  ...GRAMMAR,
  ...CARRIERS,
  ...SECRETS,
  ...ENVIRONMENT,
  ...SEARCHES,
];
