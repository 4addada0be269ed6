/** The shape of hookline's own configuration file; the JSON Schema that editors use is made from it. */
import { z } from 'zod';
import { HOOK_EVENTS } from '../../../events/schemas.js';

const common = {
  name: z.string().min(1).optional(),
  timeout: z.number().positive().describe('Seconds; fractions are fine.').optional(),
  onFailure: z.enum(['continue', 'block']).describe('What a hook without a valid answer means.').optional(),
};

const commandHook = z.strictObject({
  type: z.literal('command'),
  command: z.string().min(1).describe('A line for /bin/sh, or a program when args is there.'),
  args: z
    .array(z.string())
    .describe('Runs the program with exactly these arguments, without a shell.')
    .optional(),
  shell: z.string().min(1).optional(),
  cwd: z.string().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  environment: z.enum(['inherit', 'scrub']).optional(),
  ...common,
});

const httpHook = z.strictObject({
  type: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  allowedEnvVars: z.array(z.string()).optional(),
  allowedUrls: z.array(z.string()).optional(),
  ...common,
});

export const hookSchema = z.discriminatedUnion('type', [commandHook, httpHook]);

/** The kinds of hook that a file can hold. */
export const HOOK_TYPES: readonly string[] = hookSchema.options.map(({ shape }) => shape.type.value);

export const groupSchema = z.strictObject({
  matcher: z.string().describe('Names and globs, `|` between them. Absent: everything.').optional(),
  sequential: z.boolean().optional(),
  parallel: z.boolean().optional(),
  protected: z.boolean().describe("A guard that an agent's override cannot switch off.").optional(),
  last: z.boolean().describe('Runs after all others and judges the input as it will be used.').optional(),
  dialect: z.enum(['spec07', 'claude-code']).optional(),
  hooks: z.array(hookSchema),
  ...common,
});

export const fileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    hooks: z.partialRecord(z.enum(HOOK_EVENTS), z.array(groupSchema)),
  })
  .meta({ title: 'hookline configuration' });

export type FileGroup = z.output<typeof groupSchema>;
export type FileHook = z.output<typeof hookSchema>;

/** A group apart from its hooks, which are checked one by one. */
export const bareGroupSchema = groupSchema.extend({ hooks: z.array(z.unknown()) });
