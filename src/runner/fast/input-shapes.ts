/**
 * Caches the shapes of inputs of one event of a runner. An event is mostly fired with the same fields: its set of
 * fields is validated once, later only the values are checked.
 */
import { addPart, type Viewed } from '../../base/json/private-view.js';
import { type FastTest, isAnything, isString } from '../../events/fast-validators.js';
import { inputTests } from '../../events/schemas.js';
import type { AnyEvent } from '../../events/types.js';

type Input = Record<string, unknown>;

/** The fields that the options of a fire add to its input. */
export interface ExtraInput {
  readonly agent_id: string | undefined;
  readonly tool_use_id: string | undefined;
}

/** A full input, with the parts of it that hooks could change in place. */
export interface CompleteInput {
  readonly record: Readonly<Input>;
  readonly parts: Viewed | undefined;
}

/** The fields of an accepted input, in order, each with the test for its value. */
interface Shape {
  readonly keys: readonly string[];
  readonly tests: readonly FastTest[];
  /** The full input without the caller's values: the common fields come from the runner and never change. */
  readonly template: Readonly<Input>;
  /** Which options were given, and which of them the input needed. */
  readonly given: Readonly<Record<keyof ExtraInput, boolean>>;
  readonly needed: readonly (keyof ExtraInput)[];
}

const EXTRA_KEYS: readonly (keyof ExtraInput)[] = ['agent_id', 'tool_use_id'];
const MAX_SHAPES = 4;
const MAX_KEYS = 32;

export class InputShapes {
  #shapes: readonly Shape[] = [];

  /** The full input, if its shape was accepted before; undefined: it needs full validation. */
  complete(own: object, extra: ExtraInput): CompleteInput | undefined {
    const shapes = this.#shapes;
    for (let i = 0; i < shapes.length; i++) {
      const input = fill(shapes[i] as Shape, own as Readonly<Input>, extra);
      if (input !== undefined) return input;
    }
    return undefined;
  }

  /** Remembers the shape of an accepted input, not its values. */
  learn(event: AnyEvent, own: object, extra: ExtraInput, input: Readonly<Input>): void {
    const keys = Object.keys(own ?? {}).filter((key) => (own as Input)[key] !== undefined);
    if (keys.length === 0 || keys.length > MAX_KEYS || keys.includes('__proto__')) return;
    const tests = inputTests(event);
    const template = { ...input };
    for (const key of keys) template[key] = undefined;
    const given = { agent_id: extra.agent_id !== undefined, tool_use_id: extra.tool_use_id !== undefined };
    const shape: Shape = {
      keys,
      tests: keys.map((key) => tests.get(key) ?? isAnything),
      template,
      given,
      needed: EXTRA_KEYS.filter((key) => given[key] && key in input && !keys.includes(key)),
    };
    this.#shapes = [shape, ...this.#shapes].slice(0, MAX_SHAPES);
  }
}

function fill(shape: Shape, own: Readonly<Input>, extra: ExtraInput): CompleteInput | undefined {
  const { keys, tests, given, needed } = shape;
  if (given.agent_id !== (extra.agent_id !== undefined)) return undefined;
  if (given.tool_use_id !== (extra.tool_use_id !== undefined)) return undefined;
  const record: Input = { ...shape.template };
  let parts: Viewed | undefined;
  let i = 0;
  for (const key in own) {
    const value = own[key];
    if (value === undefined) continue;
    if (key !== keys[i]) return undefined;
    // Comparing here is cheaper than calling most tests.
    const test = tests[i];
    if (typeof value === 'string') {
      if (test !== isString && test !== isAnything && !test?.(value)) return undefined;
    } else {
      if (test !== isAnything && !test?.(value)) return undefined;
      parts = addPart(parts, key, value);
    }
    record[key] = value;
    i += 1;
  }
  // Inherited fields are enumerated last and do not count: if the last one is an own field, all of them are.
  if (i !== keys.length || !Object.hasOwn(own, keys[i - 1] as string)) return undefined;
  return needed.length > 0 && !addExtra(record, needed, extra) ? undefined : { record, parts };
}

/** False: a value to add is not a string. */
function addExtra(record: Input, needed: Shape['needed'], extra: ExtraInput): boolean {
  for (const key of needed) {
    if (typeof extra[key] !== 'string') return false;
    record[key] = extra[key];
  }
  return true;
}
