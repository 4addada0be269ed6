/** Reads and writes the file of approvals. What is not exactly as we write it is not read at all. */
import { constants, type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf } from '../../base/errors.js';
import { replacePrivate } from '../../base/files/private.js';
import { problem, type TrustProblem } from './problem.js';
import { ownershipProblem } from './store-place.js';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** Not a record: names may be such as objects have anyway. */
const pair = z.tuple([z.string(), z.string()]);

const approvalSchema = z.strictObject({
  fingerprint: digest,
  event: z.string(),
  matcher: z.string().optional(),
  /** How people recognise the hook. */
  summary: z.string(),
  approvedAt: z.iso.datetime(),
  /** The same hook in another version. */
  identity: digest,
  /** The same beginning of the command. */
  head: digest,
  /** The how manieth of its event it was. */
  place: z.string(),
  /** The file that it is written in, from the workspace where it lies inside. */
  source: z.string().optional(),
  /** Variables that are passed on to it although they may hold secrets. */
  env: z.array(z.string()),
  /** What was approved, to show what has changed since: each field as text, each covered file by its digest. */
  fields: z.array(pair),
  files: z.array(pair),
});

/** Another shape of the file. */
const VERSION = 2;

const storeSchema = z.strictObject({
  version: z.literal(VERSION),
  workspaces: z.record(z.string(), z.array(approvalSchema)),
});

export type Approval = Readonly<z.infer<typeof approvalSchema>>;
export type Approvals = ReadonlyMap<string, readonly Approval[]>;

const MAX_STORE = 16 * 1024 * 1024;

/** The approvals by workspace, or why none of them counts. No file is no approvals. Contract: never throws. */
export async function readStore(file: string): Promise<Approvals | TrustProblem> {
  let handle: FileHandle;
  try {
    // Not following links, not waiting for pipes; what is opened is what is checked and read.
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
      `The trust store '${file}' is a symbolic link, so something else decides what it says. Replace it by a file, or set HOOKLINE_HOME to where it is.`,
    );
  }
  return unreadable(file, thrown);
}

function unreadable(file: string, thrown: unknown): TrustProblem {
  return problem(
    'store_unreadable',
    `The trust store '${file}' cannot be read: ${messageOf(thrown)}. Make it readable for you.`,
  );
}

function parse(file: string, text: string): Approvals | TrustProblem {
  try {
    const written: unknown = JSON.parse(text);
    if (isOlder(written)) return outdated(file);
    const read = storeSchema.safeParse(written);
    if (read.success) return new Map(Object.entries(read.data.workspaces));
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
    `The trust store '${file}' was written by an earlier version of hookline, whose approvals say too little, so nothing in it counts. Delete it and approve your hooks again.`,
  );
}

function malformed(file: string, what: string): TrustProblem {
  return problem(
    'store_malformed',
    `The trust store '${file}' is not as it was written (${what}), so nothing in it counts. Restore it, or delete it and approve your hooks again.`,
  );
}

/** All or nothing: a new file, on the disk before it takes the old one's place. The mode of the old one is not kept. */
export async function writeStore(file: string, approvals: Approvals): Promise<void> {
  const store: z.infer<typeof storeSchema> = {
    version: VERSION,
    workspaces: Object.fromEntries([...approvals].map(([workspace, list]) => [workspace, [...list]])),
  };
  await replacePrivate(file, `${JSON.stringify(store, null, 2)}\n`);
}
