/** What the rest of the configuration uses of trust. */
export type { CoveredFile } from './covered-files.js';
export { fingerprint, type TrustForm, trustForm } from './fingerprint.js';
export type { TrustStatus } from './judge.js';
export { keepAgreed } from './keep-agreed.js';
export { TrustError, type TrustProblem, type TrustProblemCode } from './problem.js';
export { defaultTrustFile } from './store-place.js';
export { identityOf, permissionSubject, type TrustSubject } from './subject.js';
export {
  type ApproveOptions,
  createTrustStore,
  type ListedApproval,
  type TrustReview,
  TrustStore,
  type TrustStoreOptions,
} from './trust-store.js';
export { createVerifier } from './verify.js';
