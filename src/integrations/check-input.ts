/** Checks the input of a tool with the schema that the host has for it. */
import { messageOf } from '../base/errors.js';
import { fieldOf } from './tool-content.js';

interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
}

/**
 * Returns what is wrong with an input, if the schema can tell: one of the Standard Schema kind (zod, valibot, arktype), one
 * with `validate` or `safeParse`, or a function that returns one. Other schemas are the host's to check.
 */
export async function checkWithSchema(schema: unknown, input: unknown): Promise<string | undefined> {
  const standard =
    fieldOf(schema, '~standard') ??
    (typeof schema === 'function' ? Reflect.get(schema, '~standard') : undefined);
  const validate = fieldOf(standard, 'validate');
  if (typeof validate === 'function') return issuesIn(await validate(input));
  if (typeof schema === 'function') return checkWithSchema(schema(), input);
  const own = fieldOf(schema, 'validate');
  if (typeof own !== 'function') return undefined;
  const result: unknown = await own.call(schema, input);
  return fieldOf(result, 'success') === false ? messageOf(fieldOf(result, 'error')) : undefined;
}

function issuesIn(result: unknown): string | undefined {
  const issues = fieldOf(result, 'issues') as readonly Issue[] | undefined;
  if (issues === undefined) return undefined;
  return issues
    .map(({ message, path = [] }) => [path.map(segment).join('.'), message].filter(Boolean).join(': '))
    .join('; ');
}

const segment = (part: unknown): string => String(fieldOf(part, 'key') ?? part);
