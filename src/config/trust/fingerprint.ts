/** One digest of everything that determines what a hook does, including the content of the files it executes. */
import { canonical } from './canonical.js';
import { type CoveredFile, coveredFiles } from './covered-files.js';
import { sha256 } from './hash.js';
import { decidingFields, type TrustSubject } from './subject.js';

/** Increased when the computation changes, so that old approvals never match. */
const VERSION = 2;

/** The data that a fingerprint covers. Show it to the user who approves the hook. */
export interface TrustForm {
  readonly version: typeof VERSION;
  readonly event: string;
  readonly matcher: string | undefined;
  readonly handler: Readonly<Record<string, unknown>>;
  readonly files: readonly CoveredFile[];
}

/** As `trustForm` of the public API. */
export async function formOfSubject(subject: TrustSubject): Promise<TrustForm> {
  return formOf(subject, await coveredFiles(subject));
}

/** Contract: `files` are those that the hook executes. */
export function formOf({ event, matcher, handler }: TrustSubject, files: readonly CoveredFile[]): TrustForm {
  return { version: VERSION, event, matcher, handler: decidingFields(handler), files };
}

/** SHA-256, in hex. Executes nothing. Rejects as `trustForm` does. */
export async function fingerprint(subject: TrustSubject): Promise<string> {
  return fingerprintOf(await formOfSubject(subject));
}

export function fingerprintOf(form: TrustForm): string {
  return sha256(canonical(form));
}
