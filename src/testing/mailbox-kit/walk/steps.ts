/** Random call sequences, reproducible by seed. */
import type { InjectionItem } from '../../../injection/port.js';
import type { Bench } from '../bench.js';

export const AGENTS = ['a', 'b', 'c {4}:*'];
const TOOLS = ['Bash', 'Read', 'Write'];
const MATCHERS = ['Bash', 'B*|Read', 'Write'];

/** Indices are taken modulo the number of existing things, so that any step can be removed. Times are in units. */
export type Step =
  | {
      readonly do: 'put';
      readonly to: InjectionItem['to'];
      readonly priority: number;
      readonly matcher?: string | undefined;
      /** When it expires; 0 is long ago. */
      readonly lasts?: number | undefined;
    }
  | { readonly do: 'put again' | 'withdraw'; readonly item: number }
  | {
      readonly do: 'take';
      readonly agent: string;
      readonly tools?: readonly string[] | undefined;
      readonly limit?: number | undefined;
    }
  | { readonly do: 'acknowledge' | 'release'; readonly lease: number }
  | { readonly do: 'carryOver' | 'join' | 'leave'; readonly agent: string }
  | { readonly do: 'pass'; readonly units: number }
  | { readonly do: 'other user' | 'restart' };

/** The mulberry32 generator: numbers from 0 (inclusive) to 1 (exclusive). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Steps for a mailbox; with `alone`, for a single user that is never restarted. */
export function randomSteps(bench: Bench, seed: number, alone: boolean): readonly Step[] {
  const random = randomNumbers(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.5);
  const sometimes = <T>(make: () => T): T | undefined => (random() < 0.4 ? make() : undefined);

  const target = (): InjectionItem['to'] => {
    const several = some(AGENTS);
    return pick([pick(AGENTS), several.length === 0 ? AGENTS : several, { all: true } as const]);
  };
  const kinds: [weight: number, make: () => Step][] = [
    [
      6,
      () => ({
        do: 'put',
        to: target(),
        priority: below(3) - 1,
        matcher: sometimes(() => pick(MATCHERS)),
        lasts: sometimes(() => (bench.hasClock ? 1 + below(12) : 0)),
      }),
    ],
    [1, () => ({ do: 'put again', item: below(20) })],
    [
      5,
      () => ({
        do: 'take',
        agent: pick(AGENTS),
        tools: sometimes(() => some(TOOLS)),
        limit: sometimes(() => below(4)),
      }),
    ],
    [3, () => ({ do: 'acknowledge', lease: below(20) })],
    [2, () => ({ do: 'release', lease: below(20) })],
    [1, () => ({ do: 'carryOver', agent: pick(AGENTS) })],
  ];
  if (bench.hasClock) kinds.push([2, () => ({ do: 'pass', units: 1 + below(6) })]);
  if (bench.has('membership'))
    kinds.push([1, () => ({ do: pick(['join', 'leave'] as const), agent: pick(AGENTS) })]);
  if (bench.has('withdraw')) kinds.push([1, () => ({ do: 'withdraw', item: below(20) })]);
  if (bench.has('shared') && !alone) {
    kinds.push([1, () => ({ do: 'other user' })]);
    if (bench.has('durable') && bench.has('leaseMs') && bench.hasClock)
      kinds.push([1, () => ({ do: 'restart' })]);
  }
  const tickets = kinds.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));
  return Array.from({ length: 5 + below(36) }, () => pick(tickets)());
}
