/**
 * `hookline schema`: the JSON Schemas of inputs, answers and files, generated from the library's own validation
 * schemas.
 */
import { z } from 'zod';
import { HookError, show } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { didYouMean } from '../../base/text/suggest.js';
import { fileSchema } from '../../dialects/hookline/file/schema.js';
import { ALL_EVENTS } from '../../events/registry.js';
import { answerSchema, inputSchema } from '../../events/schemas.js';
import type { AnyEvent } from '../../events/types.js';
import { testFileSchema } from '../../testing/hook-tests/schema.js';
import { defineCommand } from '../command.js';
import { readEvent } from '../hooks/input.js';

const FILES: Readonly<Record<string, () => z.ZodType>> = {
  config: fileSchema,
  tests: () => testFileSchema,
};

export const command = defineCommand({
  usage: 'schema [Event|config|tests] [input|answer]',
  about:
    'Prints JSON Schemas: of an event, its input and the answers a hook may give; of hookline files; of hook test files.\nWithout an argument, all of them.',
  args: [0, 2],
  options: {},
  exits: EXIT_CODES.filter(([code]) => code === EXIT.ok || code >= EXIT.usage),
  examples: [
    ['hookline schema PreToolUse answer', 'what a hook may print on stdout'],
    ['hookline schema config > hookline.schema.json', 'for an editor'],
  ],
  async run({ args: [name, part], io }) {
    io.printer.json(name === undefined ? allSchemas() : schemaOf(name, part));
    return EXIT.ok;
  },
});

function schemaOf(name: string, part: string | undefined): unknown {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (file !== undefined) return toSchema(file());
  const schemas = schemasOf(readName(name));
  if (part === undefined) return schemas;
  if (part === 'input' || part === 'answer') return schemas[part];
  throw new HookError('invalid_option', `There is no schema ${show(part)} of ${name}; use input or answer.`);
}

function readName(name: string): AnyEvent {
  const names = Object.keys(FILES);
  // A typo of a file name, as opposed to a typo of an event name.
  const hint = didYouMean(name, names);
  if (hint === '') return readEvent(name);
  throw new HookError('invalid_option', `There is no schema ${show(name)}.${hint}`);
}

function schemasOf(event: AnyEvent): { readonly input: unknown; readonly answer: unknown } {
  return { input: toSchema(inputSchema(event)), answer: toSchema(answerSchema(event)) };
}

function allSchemas(): unknown {
  return {
    config: toSchema(fileSchema()),
    tests: toSchema(testFileSchema),
    events: Object.fromEntries(ALL_EVENTS.map((event) => [event, schemasOf(event)])),
  };
}

/** References are inlined; `$schema` and `title` come first. */
function toSchema(schema: z.ZodType): unknown {
  const { $schema, title, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    reused: 'inline',
    cycles: 'throw',
    unrepresentable: 'throw',
  });
  return { $schema, title, ...rest };
}
