/**
 * Puts what hooks and people say behind the output of a tool, so that it stays in the conversation wherever the host
 * keeps it: in model messages, and in UI messages from which model messages are made again later.
 */

/** The key of the texts in an output that is an object. */
const TEXTS = 'hookline';
/** The key of an output that is none, if the tool renders it for the model itself. */
const OUTPUT = 'hooklineOutput';

type Fields = Readonly<Record<string, unknown>>;

const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** `rendersItself`: the tool has its own `toModelOutput`, so its output has to stay apart from the texts. */
export function addTexts(output: unknown, texts: readonly string[], rendersItself: boolean): unknown {
  if (texts.length === 0) return output;
  if (isPlainObject(output)) return { ...output, [TEXTS]: texts };
  if (rendersItself) return { [OUTPUT]: output, [TEXTS]: texts };
  const own = typeof output === 'string' ? output : JSON.stringify(output);
  return [...(own === undefined || own === '' ? [] : [own]), ...texts].join('\n\n');
}

/** The tool's own output and the texts behind it. */
function split(output: unknown): { own: unknown; texts: readonly string[] } {
  if (!isPlainObject(output) || !isTexts(output[TEXTS])) return { own: output, texts: [] };
  const { [TEXTS]: texts, ...own } = output;
  return { own: OUTPUT in own ? own[OUTPUT] : own, texts };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
}

type Render = (value: unknown) => ModelOutput | PromiseLike<ModelOutput>;

/**
 * A `toModelOutput` around that of the tool. Version 5 passes the output, later ones an object that contains it. Version 5
 * does not wait for promises, so there is none unless the tool returns one.
 */
export function renderWithTexts(render: Render | undefined): Render {
  return (value) => {
    const isCall = isPlainObject(value) && 'toolCallId' in value && 'output' in value;
    const { own, texts } = split(isCall ? value['output'] : value);
    const rendered =
      render === undefined ? plainOutput(own) : render(isCall ? { ...value, output: own } : own);
    if (texts.length === 0) return rendered;
    return 'then' in rendered
      ? rendered.then((output) => appendTexts(output, texts))
      : appendTexts(rendered, texts);
  };
}

/** What the host makes of an output itself. */
const plainOutput = (own: unknown): ModelOutput =>
  typeof own === 'string' ? { type: 'text', value: own } : { type: 'json', value: own ?? null };

function appendTexts({ type, value }: ModelOutput, texts: readonly string[]): ModelOutput {
  const parts = texts.map((text) => ({ type: 'text', text }));
  if (type === 'content' && Array.isArray(value)) return { type, value: [...value, ...parts] };
  const own = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const isError = type === 'error-text' || type === 'error-json';
  return { type: isError ? 'error-text' : 'text', value: [own, ...texts].join('\n\n') };
}
