/** Validates an input against a tool's JSON Schema, with the validator of the MCP SDK. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation';

type Validation = typeof import('@modelcontextprotocol/sdk/validation/ajv');

/** Returns what is invalid; undefined if it is valid. Rejects with a clear message if the SDK is not installed. */
export async function checkAgainstSchema(
  tools: readonly Tool[],
  name: string,
  input: Readonly<Record<string, unknown>>,
  load: () => Promise<Validation> = () => import('@modelcontextprotocol/sdk/validation/ajv'),
): Promise<string | undefined> {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema;
  if (schema === undefined) return undefined;
  const { AjvJsonSchemaValidator } = await loadValidation(load);
  // The SDK has two types for the same schemas.
  const checked = new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType)(input);
  return checked.valid ? undefined : checked.errorMessage;
}

async function loadValidation(load: () => Promise<Validation>): Promise<Validation> {
  try {
    return await load();
  } catch (cause) {
    throw new Error(
      'Checking a rewritten input needs the package @modelcontextprotocol/sdk, which cannot be loaded: npm install @modelcontextprotocol/sdk',
      { cause },
    );
  }
}
