/** Fills a hook's input into the arguments of a tool: data into data, nothing is evaluated. */
import { plainCopy } from '../../base/json/plain-copy.js';

/** JSON data whose texts may hold `${path.to.field}`. */
export type Template = unknown;

type Fields = Readonly<Record<string, unknown>>;

const PATH = String.raw`\$\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}`;
const WHOLE = new RegExp(`^${PATH}$`);
const INSIDE = new RegExp(PATH, 'g');

/**
 * A text that is nothing but one placeholder becomes the value itself, whatever its type; placeholders inside a
 * longer text become text. What the input lacks is left out, or is empty inside a text.
 */
export function fillTemplate(template: Template, input: Fields): unknown {
  if (typeof template === 'string') return fillText(template, input);
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, input) ?? null);
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template)
    .map(([key, value]) => [key, fillTemplate(value, input)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled);
}

function fillText(text: string, input: Fields): unknown {
  const path = WHOLE.exec(text)?.[1];
  if (path !== undefined) {
    // A copy: the input is shared by all hooks of the fire, and the tool's client is a stranger.
    const copied = plainCopy(lookUp(input, path));
    return copied.ok ? copied.value : undefined;
  }
  return text.replaceAll(INSIDE, (_, inner: string) => asText(lookUp(input, inner)));
}

/** Only what the data itself holds: prototypes are out of reach. */
function lookUp(input: Fields, path: string): unknown {
  let value: unknown = input;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Fields)[key];
  }
  return value;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
