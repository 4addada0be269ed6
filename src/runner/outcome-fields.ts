/**
 * The fields of an outcome that hooks set. One entry says everything about a field; all code that reads outcomes is
 * derived from it.
 */
import { z } from 'zod';
import type { Verdict } from '../handlers/verdict.js';
import type { HookResult, WholeOutcome } from './outcome.js';

/** All fields except those that only the runner knows. */
export type OutcomeField = Exclude<keyof WholeOutcome, 'event' | 'results' | 'aborted'>;

/**
 * What a field is for. An agent acts on what `decides` and `rewrites`. The model reads what `tells` and what
 * `explains` a decision, so those texts are capped. What `reports` is about the hooks themselves.
 */
export type FieldRole = 'decides' | 'rewrites' | 'tells' | 'explains' | 'reports';

/** How the answers of several hooks become one value. */
export type FieldFold =
  /** The strictest decision; the reason is that of the first hook that gave it. */
  | 'strictest'
  | 'reason-of-strictest'
  /** False wins over true; the reason is that of the first hook that said false. */
  | 'false-first'
  | 'reason-of-false'
  /** True if any hook says true. */
  | 'any'
  | 'last'
  /** A list with one entry for each hook that sets the field. */
  | 'each'
  /** A list of all entries in the hooks' lists. */
  | 'all'
  /** The same, with the hook's name in each entry. */
  | 'all-with-hook'
  /** The runner creates the entry, for a hook that failed or continues in the background. */
  | 'made-by-runner';

type Item<T> = T extends readonly (infer I)[] ? I : T;
type Present<K extends OutcomeField> = NonNullable<WholeOutcome[K]>;
type IsList<K extends OutcomeField, Yes, No> = Present<K> extends readonly unknown[] ? Yes : No;

type FoldOf<K extends OutcomeField> = IsList<
  K,
  'each' | 'all' | 'all-with-hook' | 'made-by-runner',
  Record<never, never> extends Pick<WholeOutcome, K>
    ? 'strictest' | 'reason-of-strictest' | 'false-first' | 'reason-of-false' | 'last'
    : 'any'
>;

/**
 * How to get the text of a value or of a list's entries: it is a string, one of its keys is, or it is written as
 * JSON.
 */
type TextOf<T> = T extends string
  ? 'itself' | 'json'
  : T extends object
    ? { readonly [K in keyof T]: T[K] extends string ? { readonly key: K } : never }[keyof T] | 'json'
    : 'json';

/** How a hook test states an expectation: the same value, or parts of the text. */
export type Expected =
  | {
      readonly name: string;
      readonly by: 'value';
      /** With a description. */
      readonly schema: () => z.ZodType;
      /** How an expectation says that the field is absent. */
      readonly absent: 'none' | null;
    }
  | {
      readonly name: string;
      /** `texts`: one, or a list in which each must be found. */
      readonly by: 'text' | 'texts';
      readonly description?: string;
      /** Late answers count too. */
      readonly late?: true;
    };

/**
 * `fact`: the value as it is. `count`: the number of entries. `content`: the text, cut, and only if content is
 * enabled.
 */
export interface Attribute {
  readonly name: `hookline.${string}`;
  readonly as: 'fact' | 'count' | 'content';
}

/** The key of a hook's verdict that the field comes from, and whether the hook's result has it under the same name. */
type Source = {
  [V in keyof Verdict]-?: {
    readonly verdict: V;
    readonly ofHook: V extends MadeByRunner
      ? null
      : V extends keyof HookResult
        ? 'result'
        : 'specific' | null;
  };
}[keyof Verdict];

/** Results have these in their own form. */
type MadeByRunner = 'failure' | 'notes';

type Entry<K extends OutcomeField> = (Source | { readonly verdict: null; readonly ofHook: null }) &
  Described<K>;

interface Described<K extends OutcomeField> {
  /** The verdict key that says whether the field is present, for fields that may hold any value. */
  readonly presence?: keyof Verdict;
  readonly fold: FoldOf<K>;
  readonly role: FieldRole;
  readonly text: TextOf<Item<Present<K>>>;
  /** It is still delivered when the answer arrives after the fire. */
  readonly late?: true;
  /** The label that people see, and whether `hookline fire` and the live view show it. */
  readonly shown: { readonly label: string; readonly fire: boolean; readonly live: boolean } | null;
  /** How recordings store it; `of` converts the value. */
  readonly recorded: {
    readonly schema: () => z.ZodType;
    readonly of?: (value: Present<K>) => unknown;
  } | null;
  readonly expected: Expected | null;
  readonly attribute: Attribute | null;
}

const optional = {
  text: () => z.string().optional(),
  texts: () => z.array(z.string()).default([]),
};

/** In the order in which `hookline fire` and hook tests show them. */
export const OUTCOME_FIELDS = {
  decision: {
    verdict: 'decision',
    ofHook: 'result',
    fold: 'strictest',
    role: 'decides',
    text: 'itself',
    shown: null,
    recorded: { schema: optional.text },
    expected: {
      name: 'decision',
      by: 'value',
      schema: () =>
        z
          .enum(['allow', 'deny', 'ask', 'defer', 'none'])
          .describe('What the hooks decide together; none: no hook has an opinion.'),
      absent: 'none',
    },
    attribute: { name: 'hookline.decision', as: 'fact' },
  },
  reason: {
    verdict: 'reason',
    ofHook: 'result',
    fold: 'reason-of-strictest',
    role: 'explains',
    text: 'itself',
    shown: { label: 'reason', fire: true, live: false },
    recorded: { schema: optional.text },
    expected: { name: 'reason', by: 'text', description: 'A part of the reason, or a /pattern/.' },
    attribute: { name: 'hookline.reason', as: 'content' },
  },
  continue: {
    verdict: 'continue',
    ofHook: 'result',
    fold: 'false-first',
    role: 'decides',
    text: 'json',
    shown: null,
    recorded: { schema: () => z.boolean().optional() },
    expected: {
      name: 'continue',
      by: 'value',
      schema: () => z.union([z.boolean(), z.literal('none')]),
      absent: 'none',
    },
    attribute: null,
  },
  stopReason: {
    verdict: 'stopReason',
    ofHook: 'result',
    fold: 'reason-of-false',
    role: 'explains',
    text: 'itself',
    shown: { label: 'stop reason', fire: true, live: true },
    recorded: { schema: optional.text },
    expected: { name: 'stopReason', by: 'text' },
    attribute: { name: 'hookline.stop_reason', as: 'content' },
  },
  suppressOutput: {
    verdict: 'suppressOutput',
    ofHook: 'result',
    fold: 'any',
    role: 'reports',
    text: 'json',
    shown: null,
    recorded: null,
    expected: null,
    attribute: null,
  },
  additionalContext: {
    verdict: 'additionalContext',
    ofHook: 'specific',
    fold: 'each',
    role: 'tells',
    text: 'itself',
    late: true,
    shown: { label: 'context', fire: true, live: true },
    recorded: { schema: optional.texts },
    expected: {
      name: 'context',
      by: 'texts',
      description: 'Parts of what is added for the model.',
      late: true,
    },
    attribute: { name: 'hookline.additional_context', as: 'content' },
  },
  systemMessages: {
    verdict: 'systemMessage',
    ofHook: 'result',
    fold: 'each',
    role: 'tells',
    text: 'itself',
    late: true,
    shown: { label: 'message', fire: true, live: true },
    recorded: { schema: optional.texts },
    expected: { name: 'message', by: 'texts', description: 'Parts of the system messages.' },
    attribute: { name: 'hookline.system_messages', as: 'content' },
  },
  updatedInput: {
    verdict: 'updatedInput',
    ofHook: 'specific',
    fold: 'last',
    role: 'rewrites',
    text: 'json',
    shown: { label: 'new input', fire: true, live: true },
    recorded: { schema: () => z.record(z.string(), z.unknown()).optional() },
    expected: {
      name: 'updatedInput',
      by: 'value',
      schema: () =>
        z
          .record(z.string(), z.unknown())
          .nullable()
          .describe('The whole new tool input; null: it stays as it is.'),
      absent: null,
    },
    attribute: { name: 'hookline.updated_input', as: 'content' },
  },
  updatedOutput: {
    verdict: 'updatedOutput',
    presence: 'hasUpdatedOutput',
    ofHook: null,
    fold: 'last',
    role: 'rewrites',
    text: 'json',
    shown: { label: 'new output', fire: true, live: true },
    recorded: { schema: () => z.unknown().optional() },
    expected: {
      name: 'updatedOutput',
      by: 'value',
      schema: () => z.unknown().describe('The whole new tool output.'),
      absent: null,
    },
    attribute: { name: 'hookline.updated_output', as: 'content' },
  },
  hookSpecificOutputs: {
    verdict: 'hookSpecificOutput',
    ofHook: 'result',
    fold: 'each',
    role: 'reports',
    text: 'json',
    shown: null,
    recorded: null,
    expected: null,
    attribute: null,
  },
  injections: {
    verdict: 'injections',
    ofHook: null,
    fold: 'all',
    role: 'tells',
    text: { key: 'content' },
    shown: { label: 'injected', fire: false, live: true },
    recorded: null,
    expected: null,
    attribute: null,
  },
  failures: {
    verdict: 'failure',
    ofHook: null,
    fold: 'made-by-runner',
    role: 'reports',
    text: { key: 'message' },
    shown: null,
    recorded: {
      schema: () =>
        z.array(z.looseObject({ name: z.string(), kind: z.string(), message: z.string() })).default([]),
      of: (failures) => failures.map(({ name, kind, message }) => ({ name, kind, message })),
    },
    expected: null,
    attribute: { name: 'hookline.failures', as: 'count' },
  },
  pending: {
    verdict: null,
    ofHook: null,
    fold: 'made-by-runner',
    role: 'reports',
    text: { key: 'name' },
    shown: null,
    recorded: null,
    expected: null,
    attribute: { name: 'hookline.pending', as: 'count' },
  },
  notes: {
    verdict: 'notes',
    ofHook: null,
    fold: 'all-with-hook',
    role: 'reports',
    text: { key: 'message' },
    shown: { label: 'note', fire: true, live: true },
    recorded: null,
    expected: null,
    attribute: null,
  },
} as const satisfies { readonly [K in OutcomeField]: Entry<K> };

type FromVerdict = NonNullable<(typeof OUTCOME_FIELDS)[keyof typeof OUTCOME_FIELDS]['verdict']>;

/**
 * The other keys of a verdict: for the hook's own result, or for the runner. A key in neither place does not compile.
 */
export const BESIDE_OUTCOME: { readonly [V in Exclude<keyof Verdict, FromVerdict>]-?: 'result' | 'runner' } =
  {
    outcome: 'runner',
    systemMessageFor: 'result',
    toolFinishes: 'result',
    hasUpdatedOutput: 'runner',
    background: 'runner',
  };
