/** Computes the difference from the approved version: fields of the hook, and the files it covers. */
import { resolve } from 'node:path';
import { canonical } from './canonical.js';
import type { TrustForm } from './fingerprint.js';
import { keptScript, readScript } from './kept-scripts.js';
import type { Approval } from './store-file.js';

/** What has changed since a hook was approved. */
export interface TrustChanges {
  /** The fingerprint of the approved version. */
  readonly fingerprint: string;
  /** ISO 8601, UTC. */
  readonly approvedAt: string;
  /** Changed fields of the entry. Values are JSON, and undefined if the field is absent. */
  readonly fields: readonly { readonly field: string; readonly before?: string; readonly after?: string }[];
  /** Covered files that have changed. A text is undefined if the file is absent, large or binary. */
  readonly files: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
  /** Variables that the last approval passed to the hook. */
  readonly env: readonly string[];
}

/** The fields of a form by name, as text, to store in an approval. Objects are flattened one level. */
export function fieldsOf({ event, matcher, handler }: TrustForm): Pairs {
  const fields = Object.entries<unknown>({ event, matcher, ...handler }).flatMap(
    ([name, value]): [string, unknown][] =>
      isPlainObject(value)
        ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each])
        : [[name, value]],
  );
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, canonical(value)]]));
}

/** What decides which calls a hook judges. */
const REACH: ReadonlySet<string> = new Set(['event', 'matcher', 'if', 'group.dialect', 'group.within']);

/** Equal for two versions of a hook that judge the same calls. */
export function reachOf(fields: Pairs): string {
  const deciding = fields.filter(([name]) => REACH.has(name));
  return JSON.stringify(deciding.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The covered files of a form by path, as stored in an approval. */
export function contentsOf({ files }: TrustForm): Pairs {
  return files.map(({ path, content, target }) => [
    path,
    target === undefined ? content : `${content} ${target}`,
  ]);
}

export async function changesSince(
  approval: Approval,
  form: TrustForm,
  workspace: string,
  store: string,
): Promise<TrustChanges> {
  const files = differences(approval.files, contentsOf(form)).map(async ({ name, before }) => {
    const [digest = ''] = before?.split(' ') ?? [];
    const [old, now] = [await keptScript(store, digest), await readScript(resolve(workspace, name))];
    return {
      path: name,
      ...(old !== undefined && { before: old }),
      ...(now !== undefined && { after: now }),
    };
  });
  return {
    fingerprint: approval.fingerprint,
    approvedAt: approval.approvedAt,
    fields: differences(approval.fields, fieldsOf(form)).map(({ name, ...values }) => ({
      field: name,
      ...values,
    })),
    files: await Promise.all(files),
    env: approval.env,
  };
}

type Pairs = [name: string, text: string][];

function differences(before: Pairs, after: Pairs): { name: string; before?: string; after?: string }[] {
  const [old, now] = [new Map(before), new Map(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) return [];
    return [{ name, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
