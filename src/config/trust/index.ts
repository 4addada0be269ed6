/** The exports of trust. */

export { SHORT_FINGERPRINT } from '../loaded.js';
export type { TrustChanges } from './changes.js';
export { type CoveredFile, dependsOnFolder } from './covered-files.js';
export { fingerprint, type TrustForm } from './fingerprint.js';
export { missingScript, sourceName, type TrustStatus } from './judge.js';
export { keepApproved } from './keep-approved.js';
export { readScript } from './kept-scripts.js';
export { TrustError, type TrustProblem, type TrustProblemCode, UnresolvedError } from './problem.js';
export { defaultTrustFile } from './store-place.js';
export {
  type ApproveOptions,
  checkVariable,
  type ListedApproval,
  type TrustReview,
  type TrustStoreOptions,
} from './store-types.js';
export { identityOf, permissionSubject, repositorySubject, type TrustSubject } from './subject.js';
export { createTrustStore, TrustStore, trustForm } from './trust-store.js';
export { createVerifier } from './verify.js';
