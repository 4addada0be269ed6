/** Describes why a group or a hook of a file is invalid. Unknown keys come first: they usually explain the rest. */
import type { z } from 'zod';
import { show } from '../../../base/errors.js';
import { HOOK_TYPES } from './schema.js';

export interface Misfit {
  /** Half a sentence, without a full stop. */
  readonly message: string;
  readonly path: readonly PropertyKey[];
  /** The path ends with a key that should not exist. */
  readonly unknownKey: boolean;
}

type Issue = z.core.$ZodIssue;

/** A list of more problems than this is not useful. */
const SHOWN = 3;

/** `value`: what was validated. */
export function describeMisfit({ issues }: z.core.$ZodError, value: unknown): Misfit {
  const sorted = issues.toSorted((a, b) => rank(a) - rank(b));
  const [first] = sorted;
  const unknown = first?.code === 'unrecognized_keys' ? first.keys[0] : undefined;
  const more = sorted.length > SHOWN ? [`and ${sorted.length - SHOWN} more`] : [];
  return {
    message: [...sorted.slice(0, SHOWN).map((issue) => describe(issue, value)), ...more].join('; '),
    path: [...(first?.path ?? []), ...(unknown === undefined ? [] : [unknown])],
    unknownKey: unknown !== undefined,
  };
}

const rank = ({ code }: Issue): number => (code === 'unrecognized_keys' ? 0 : 1);

function describe(issue: Issue, whole: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `\`${key}\``);
    return `${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} unknown`;
  }
  const value = issue.path.reduce(inside, whole);
  const name = issue.path.length === 0 ? 'it' : `\`${issue.path.join('.')}\``;
  const wanted = wantedBy(issue, value);
  if (wanted === undefined) return `${name}: ${issue.message}`;
  return value === undefined
    ? `${name} is missing: give ${wanted}`
    : `${name} is ${shown(value)}: give ${wanted}`;
}

function inside(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  record: 'an object of strings',
};

function wantedBy(issue: Issue, value: unknown): string | undefined {
  if (issue.path.at(-1) === 'timeout') return 'seconds as a number above 0, such as 5';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected !== 'string') return TYPES[issue.expected];
      // YAML reads a bare word such as yes or 5 as another type.
      return typeof value === 'number' || typeof value === 'boolean'
        ? `a string, "${value}" in quotes`
        : 'a string';
    case 'invalid_value':
      return anyOf(issue.values);
    case 'invalid_union':
      return issue.path.at(-1) === 'type' ? anyOf(HOOK_TYPES) : undefined;
    case 'too_small':
      return issue.origin === 'string' ? 'a string that is not empty' : undefined;
    case 'invalid_format':
      return issue.format === 'url' ? 'a URL that begins with http:// or https://' : undefined;
    default:
      return undefined;
  }
}

function anyOf(values: readonly unknown[]): string {
  return values.map((value) => `"${String(value)}"`).join(' or ');
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : show(value);
}
