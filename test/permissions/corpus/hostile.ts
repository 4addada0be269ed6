/** Every hostile line of the corpus. */
import { ASSEMBLED } from './assembled.js';
import { CARRIERS } from './carriers.js';
import { CHANGES } from './changes.js';
import { CODE_FILES } from './code-files.js';
import { CODE_HOSTILE } from './code-hostile.js';
import { ENVIRONMENT } from './environment.js';
import { ENVIRONMENT_PARTS } from './environment-parts.js';
import { FED } from './fed.js';
import { FOLDERS } from './folders.js';
import { GIT_NAMES } from './git-names.js';
import { GIT_PLUMBING } from './git-plumbing.js';
import { GRAMMAR } from './grammar.js';
import { HANDED } from './handed.js';
import { LANGUAGES } from './languages.js';
import { LOADED } from './loaded.js';
import { REMOVALS } from './removals.js';
import { SCRIPTS } from './scripts.js';
import { SEARCHES } from './searches.js';
import { SECRETS } from './secrets.js';
import type { HostileLine } from './situations.js';
import { UNKNOWN_OPTIONS } from './unknown-options.js';
import { VARIABLES } from './variables.js';
import { WRITTEN } from './written.js';

export const HOSTILE: readonly HostileLine[] = [
  ...GRAMMAR,
  ...CARRIERS,
  ...SECRETS,
  ...ENVIRONMENT,
  ...SEARCHES,
  ...CHANGES,
  ...REMOVALS,
  ...ENVIRONMENT_PARTS,
  ...GIT_NAMES,
  ...SCRIPTS,
  ...HANDED,
  ...VARIABLES,
  ...ASSEMBLED,
  ...LOADED,
  ...FOLDERS,
  ...CODE_HOSTILE,
  ...CODE_FILES,
  ...FED,
  ...GIT_PLUMBING,
  ...LANGUAGES,
  ...WRITTEN,
  ...UNKNOWN_OPTIONS,
];
