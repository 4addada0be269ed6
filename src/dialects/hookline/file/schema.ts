/** The schema of hookline's own configuration file; the JSON Schema for editors is generated from it. */
import { z } from 'zod';
import { lazy } from '../../../base/lazy.js';
import { DIALECT_NAMES, type DialectName } from '../../../config/dialect.js';
import { isAnything, isListOf, isUnsure } from '../../../events/fast-validators.js';
import {
  described,
  type FieldsOf,
  field,
  fitsExactly,
  flag,
  optional,
  schemasOf,
  text,
  word,
} from '../../../events/field.js';
import { ALL_EVENTS } from '../../../events/registry.js';
import {
  COMMON_FIELDS,
  FILE_KINDS,
  fitsHandler,
  type HandlerType,
  handlerSchema,
} from '../../../handlers/kinds.js';

/** The fields of one hook, by kind. */
const hookSchema = lazy(() => {
  const [first, ...others] = FILE_KINDS.map(handlerSchema);
  return z.discriminatedUnion('type', [first as z.ZodObject, ...others]);
});

/** The kinds of hook that a file can contain. */
export const HOOK_TYPES: readonly string[] = FILE_KINDS;

/** A group whose hooks are validated one by one. */
export interface FileGroup {
  readonly matcher?: string | undefined;
  readonly sequential?: boolean | undefined;
  readonly parallel?: boolean | undefined;
  readonly protected?: boolean | undefined;
  readonly last?: boolean | undefined;
  readonly dialect?: DialectName | undefined;
  readonly hooks: readonly unknown[];
  readonly name?: string | undefined;
  readonly timeout?: number | undefined;
  readonly onFailure?: 'continue' | 'block' | undefined;
}

const groupFields: FieldsOf<FileGroup> = {
  matcher: optional(described(text, 'Names and globs, `|` between them. Absent: everything.')),
  sequential: optional(flag),
  parallel: optional(flag),
  protected: optional(described(flag, "A guard that an agent's override cannot switch off.")),
  last: optional(described(flag, 'Runs after all others and judges the input as it will be used.')),
  dialect: optional(word(...DIALECT_NAMES, 'spec07')),
  hooks: field(isUnsure, () => z.array(hookSchema())),
  ...COMMON_FIELDS,
};

export const fileSchema = lazy(() =>
  z
    .strictObject({
      $schema: z.string().optional(),
      hooks: z.partialRecord(z.enum(ALL_EVENTS), z.array(z.strictObject(schemasOf(groupFields)))),
    })
    .meta({ title: 'hookline configuration' }),
);

export const FILE_KEYS: readonly string[] = ['$schema', 'hooks'];
export const GROUP_KEYS: readonly string[] = Object.keys(groupFields);

const bareGroupFields = { ...groupFields, hooks: field(isListOf(isAnything), () => z.array(z.unknown())) };
const bareGroupSchema = lazy(() => z.strictObject(schemasOf(bareGroupFields)));

export function checkGroup(value: unknown): z.ZodSafeParseResult<FileGroup> {
  if (fitsExactly(bareGroupFields, value)) return { success: true, data: value as FileGroup };
  return bareGroupSchema().safeParse(value) as never;
}

export function checkHook(value: unknown): z.ZodSafeParseResult<Readonly<Record<string, unknown>>> {
  const type = (value as { readonly type?: HandlerType } | null | undefined)?.type;
  if (type !== undefined && FILE_KINDS.includes(type) && fitsHandler(type, value))
    return { success: true, data: value as Readonly<Record<string, unknown>> };
  return hookSchema().safeParse(value);
}
