/** The schema of hookline's own configuration file; the JSON Schema for editors is generated from it. */
import { z } from 'zod';
import { lazy } from '../../../base/lazy.js';
import { DIALECT_NAMES } from '../../../config/dialect.js';
import { ALL_EVENTS } from '../../../events/registry.js';
import { commonFields, FILE_KINDS, handlerSchema } from '../../../handlers/kinds.js';

/** The fields of one hook, by kind. */
export const hookSchema = lazy(() => {
  const [first, ...others] = FILE_KINDS.map(handlerSchema);
  return z.discriminatedUnion('type', [first as z.ZodObject, ...others]);
});

/** The kinds of hook that a file can contain. */
export const HOOK_TYPES: readonly string[] = FILE_KINDS;

export const groupSchema = lazy(() =>
  z.strictObject({
    matcher: z.string().describe('Names and globs, `|` between them. Absent: everything.').optional(),
    sequential: z.boolean().optional(),
    parallel: z.boolean().optional(),
    protected: z.boolean().describe("A guard that an agent's override cannot switch off.").optional(),
    last: z.boolean().describe('Runs after all others and judges the input as it will be used.').optional(),
    dialect: z.enum([...DIALECT_NAMES, 'spec07']).optional(),
    hooks: z.array(hookSchema()),
    ...commonFields(),
  }),
);

export const fileSchema = lazy(() =>
  z
    .strictObject({
      $schema: z.string().optional(),
      hooks: z.partialRecord(z.enum(ALL_EVENTS), z.array(groupSchema())),
    })
    .meta({ title: 'hookline configuration' }),
);

export type FileGroup = z.output<ReturnType<typeof groupSchema>>;

/** A group without its hooks, which are validated one by one. */
export const bareGroupSchema = lazy(() => groupSchema().extend({ hooks: z.array(z.unknown()) }));
