/** Checks a rewritten input against the schema that the server lists for its tool. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation';
import { z } from 'zod';
import { messageOf } from '../../base/errors.js';
import { installedVersion, loadOptional, rethrow } from '../../base/optional-package.js';

const SDK = '@modelcontextprotocol/sdk';

type Validation = typeof import('@modelcontextprotocol/sdk/validation/ajv');

async function importValidation(): Promise<Validation> {
  try {
    return await import('@modelcontextprotocol/sdk/validation/ajv');
  } catch (error) {
    return rethrow(error);
  }
}

/** Returns what is invalid; undefined if it is valid. Rejects with a clear message if the SDK is not installed. */
export async function checkAgainstSchema(
  tools: readonly Tool[],
  name: string,
  input: Readonly<Record<string, unknown>>,
  load: () => Promise<Validation> = importValidation,
  version: string | undefined = installedVersion(SDK),
): Promise<string | undefined> {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema;
  if (schema === undefined) return undefined;
  if (version !== undefined && HAS_NO_VALIDATION.test(version)) return checkWithZod(schema, name, input);
  const { AjvJsonSchemaValidator } = await loadOptional(
    SDK,
    'Checking a rewritten input needs',
    load,
    (message, cause) => new Error(message, { cause }),
  );
  // The SDK has two types for the same schemas.
  const checked = new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType)(input);
  return checked.valid ? undefined : checked.errorMessage;
}

/** The supported versions before 1.21 have no `validation`. */
const HAS_NO_VALIDATION = /^1\.20\./;

/** A schema that zod cannot read is a refusal: the input was not checked. */
function checkWithZod(schema: Tool['inputSchema'], name: string, input: unknown): string | undefined {
  try {
    const { error } = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(input);
    return error && z.prettifyError(error);
  } catch (error) {
    return `the schema of ${name} cannot be checked (${messageOf(error)}): npm install ${SDK}@latest`;
  }
}
