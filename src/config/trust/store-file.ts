/** Reads and writes the file of approvals. A file that does not match the schema exactly is rejected as a whole. */
import { constants, type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { fileErrorOf, messageOf } from '../../base/errors.js';
import { replacePrivate } from '../../base/files/private.js';
import { lazy } from '../../base/lazy.js';
import { isListOf, isRecord } from '../../events/fast-validators.js';
import { type FieldsOf, field, fitsExactly, optional, schemasOf, text } from '../../events/field.js';
import { problem, type TrustProblem } from './problem.js';
import { ownershipProblem } from './store-place.js';

/** Not a record: names may collide with properties of Object.prototype. */
type Pairs = [string, string][];

export interface Approval {
  readonly fingerprint: string;
  readonly event: string;
  readonly matcher?: string | undefined;
  /** A description for people. */
  readonly summary: string;
  readonly approvedAt: string;
  /** The same for all versions of the hook. */
  readonly identity: string;
  /** The same if the command starts the same way. */
  readonly head: string;
  /** Its event and its position among the hooks of that event. */
  readonly place: string;
  /** The file it is defined in, relative to the workspace if inside it. */
  readonly source?: string | undefined;
  /** Variables that are passed to it although they may hold secrets. */
  readonly env: string[];
  /** What was approved, to show later changes: each field as text, each covered file by its digest. */
  readonly fields: Pairs;
  readonly files: Pairs;
}

export type Approvals = ReadonlyMap<string, readonly Approval[]>;

/** The version of the file format. */
const VERSION = 2;

interface Store {
  readonly version: typeof VERSION;
  readonly workspaces: Readonly<Record<string, readonly Approval[]>>;
}

const DIGEST = /^[0-9a-f]{64}$/;

const digest = field<string>(
  (value) => typeof value === 'string' && DIGEST.test(value),
  () => z.string().regex(DIGEST),
);

const pairs = field<Pairs>(
  isListOf((value) => Array.isArray(value) && value.length === 2 && value.every(text.test)),
  () => z.array(z.tuple([z.string(), z.string()])),
);

/** Values are JSON: what an approval protects is read from them later, so a damaged one must not pass. */
const jsonPairs = field<Pairs>(
  isListOf((value) => Array.isArray(value) && value.length === 2 && text.test(value[0]) && isJson(value[1])),
  () => z.array(z.tuple([z.string(), z.string().refine(isJson, 'it is no JSON')])),
);

const approvalFields: FieldsOf<Approval> = {
  fingerprint: digest,
  event: text,
  matcher: optional(text),
  summary: text,
  approvedAt: field(isTime, () => z.iso.datetime()),
  identity: digest,
  head: digest,
  place: text,
  source: optional(text),
  env: field(isListOf(text.test), () => z.array(z.string())),
  fields: jsonPairs,
  files: pairs,
};

const storeFields: FieldsOf<Store> = {
  version: field(
    (value) => value === VERSION,
    () => z.literal(VERSION),
  ),
  workspaces: field(
    (value) =>
      isRecord(value) &&
      Object.values(value as object).every(isListOf((each) => fitsExactly(approvalFields, each))),
    () => z.record(z.string(), z.array(z.strictObject(schemasOf(approvalFields)))),
  ),
};

const storeSchema = lazy(() => z.strictObject(schemasOf(storeFields)));

function isJson(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** As `Date` writes it. */
function isTime(value: unknown): boolean {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

const MAX_STORE = 16 * 1024 * 1024;

/**
 * The approvals by workspace, or the reason none of them can be used. A missing file means no approvals. Contract:
 * never throws.
 */
export async function readStore(file: string): Promise<Approvals | TrustProblem> {
  let handle: FileHandle;
  try {
    // Does not follow links or wait for pipes; checks and reads the same open file.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    return openProblem(file, thrown);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) {
      return problem('store_not_a_file', `The trust store '${file}' is not a regular file. Move it away.`);
    }
    const owned = ownershipProblem(stats, `The trust store '${file}'`, 'chmod 600');
    if (owned) return owned;
    if (stats.size > MAX_STORE) return malformed(file, `it has ${stats.size} bytes`);
    return parse(file, await handle.readFile('utf8'));
  } catch (thrown) {
    return unreadable(file, thrown);
  } finally {
    await handle.close();
  }
}

function openProblem(file: string, thrown: unknown): Approvals | TrustProblem {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Map();
  if (code === 'ELOOP' || code === 'EMLINK') {
    return problem(
      'store_is_link',
      `The trust store '${file}' is a symbolic link, so its content is controlled elsewhere. Replace it with a file, or set HOOKLINE_HOME to its real directory.`,
    );
  }
  return unreadable(file, thrown);
}

function unreadable(file: string, thrown: unknown): TrustProblem {
  return problem(
    'store_unreadable',
    `The trust store '${file}' cannot be read: ${fileErrorOf(thrown)}. Make it readable for your user.`,
  );
}

function parse(file: string, text: string): Approvals | TrustProblem {
  try {
    const written: unknown = JSON.parse(text);
    if (isOlder(written)) return outdated(file);
    if (fitsExactly(storeFields, written)) return new Map(Object.entries((written as Store).workspaces));
    const read = storeSchema().safeParse(written);
    if (read.success) return new Map(Object.entries((read.data as unknown as Store).workspaces));
    const [issue] = read.error.issues;
    return malformed(file, `at '${issue?.path.join('.') ?? ''}': ${issue?.message}`);
  } catch (thrown) {
    return malformed(file, messageOf(thrown));
  }
}

function isOlder(written: unknown): boolean {
  const version = (written as { version?: unknown } | null)?.version;
  return typeof version === 'number' && version < VERSION;
}

function outdated(file: string): TrustProblem {
  return problem(
    'store_outdated',
    `The trust store '${file}' was written by an earlier version of hookline, whose approvals lack information, so nothing in it counts. Delete it and approve your hooks again.`,
  );
}

function malformed(file: string, what: string): TrustProblem {
  return problem(
    'store_malformed',
    `The trust store '${file}' is malformed (${what}), so nothing in it counts. Restore it, or delete it and approve your hooks again.`,
  );
}

/** Atomic: the new file is on disk before it replaces the old one. The mode of the old file is not kept. */
export async function writeStore(file: string, approvals: Approvals): Promise<void> {
  const store: Store = {
    version: VERSION,
    workspaces: Object.fromEntries([...approvals].map(([workspace, list]) => [workspace, [...list]])),
  };
  await replacePrivate(file, `${JSON.stringify(store, null, 2)}\n`);
}
