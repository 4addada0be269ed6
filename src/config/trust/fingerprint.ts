/** One digest of everything that decides what a hook does, the content of the files it executes included. */
import { canonical } from './canonical.js';
import { type CoveredFile, coveredFiles } from './covered-files.js';
import { sha256 } from './hash.js';
import { decidingFields, type TrustSubject } from './subject.js';

/** Another way to compute it must never meet an old approval. */
const VERSION = 2;

/** What a fingerprint is taken of: show it to whoever is to trust the hook. */
export interface TrustForm {
  readonly version: typeof VERSION;
  readonly event: string;
  readonly matcher: string | undefined;
  readonly handler: Readonly<Record<string, unknown>>;
  readonly files: readonly CoveredFile[];
}

/**
 * What a fingerprint of this hook covers. Executes nothing. Rejects for a handler that is not plain data, and for one
 * that executes what cannot be told, or more than can be looked at.
 */
export async function trustForm(subject: TrustSubject): Promise<TrustForm> {
  return formOf(subject, await coveredFiles(subject));
}

/** Contract: `files` are those that the hook executes. */
export function formOf({ event, matcher, handler }: TrustSubject, files: readonly CoveredFile[]): TrustForm {
  return { version: VERSION, event, matcher, handler: decidingFields(handler), files };
}

/** SHA-256, in hex. Executes nothing. Throws as `trustForm` does. */
export async function fingerprint(subject: TrustSubject): Promise<string> {
  return fingerprintOf(await trustForm(subject));
}

export function fingerprintOf(form: TrustForm): string {
  return sha256(canonical(form));
}
