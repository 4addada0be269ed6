/** Recordings of the real Claude Code: where they are, what they hold, and what the reference was seen to do. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HookEvent } from '../../src/index.js';

const ORACLE = fileURLToPath(new URL('../../../shared/oracle/', import.meta.url));
const RECORDINGS = `${ORACLE}recordings/2.1.325/`;

export const oracle = { present: existsSync(RECORDINGS), dir: ORACLE.replace(/\/$/, '') };

interface RecordedHook {
  readonly event: HookEvent;
  readonly label: string;
  readonly stdin: Readonly<Record<string, unknown>> | string;
}

interface Step {
  readonly json?: unknown;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly firstLineThen?: unknown;
}

export interface Recording {
  readonly scenario: string;
  readonly plan: Readonly<Record<string, Step | readonly Step[]>>;
  readonly hooksConfigured: Readonly<Record<string, unknown>>;
  readonly hooksFired: readonly RecordedHook[];
  readonly apiRequests: readonly { readonly route: string; readonly newMessages?: unknown }[];
}

/** One fire of the reference: the input, and the hooks that ran for it. */
export interface RecordedFire {
  readonly event: HookEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
}

export function readRecordings(families: readonly string[]): Recording[] {
  return readdirSync(RECORDINGS)
    .filter((name) => families.some((family) => name.startsWith(family)))
    .map((name) => JSON.parse(unfold(readFileSync(RECORDINGS + name, 'utf8'))) as Recording);
}

/** Long runs of one character are written as `<X*1000>` in the recordings. */
function unfold(text: string): string {
  return text.replaceAll(/<([A-Za-z])\*(\d+)>/g, (_, character: string, count: string) =>
    character.repeat(Number(count)),
  );
}

/** The fires in which configured hooks ran. Silent watchers, which the harness adds to every event, are no hooks. */
export function firesOf({ hooksFired, hooksConfigured }: Recording): RecordedFire[] {
  const fires = new Map<string, { event: HookEvent; input: RecordedFire['input']; labels: string[] }>();
  for (const { event, label, stdin } of hooksFired) {
    if (label.startsWith('watch-') || typeof stdin === 'string' || !(event in hooksConfigured)) continue;
    const key = JSON.stringify([event, { ...stdin, duration_ms: 0 }]);
    const fire = fires.get(key) ?? { event, input: stdin, labels: [] };
    fires.set(key, fire);
    fire.labels.push(label);
  }
  return [...fires.values()];
}

const marksIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/\bM-[A-Za-z][\w-]*/g) ?? [];

/** The marked texts that the hooks of a fire say, whatever becomes of them. */
export function marksOfHooks({ plan }: Recording, labels: readonly string[]): Set<string> {
  return new Set(labels.flatMap((label) => marksIn(plan[label])));
}

/** The marked texts that the model was sent, by anybody. */
export function marksSent({ apiRequests }: Recording): Set<string> {
  const users = apiRequests.flatMap(({ newMessages }) =>
    ((newMessages ?? []) as { role: string }[]).filter(({ role }) => role === 'user'),
  );
  return new Set(marksIn(users));
}

/** Whether the tool of a call ran: a hook after it was told so. */
export function toolRan({ hooksFired }: Recording, toolUseId: unknown): boolean {
  return hooksFired.some(
    ({ event, stdin }) =>
      event.startsWith('PostToolUse') && typeof stdin === 'object' && stdin['tool_use_id'] === toolUseId,
  );
}

export function requestsOf({ apiRequests }: Recording): number {
  return apiRequests.filter(({ route, newMessages }) => route === 'main' && newMessages !== undefined).length;
}

/** Hooks of a scenario that stand in other settings files than the project's. */
export async function extraSettings(
  scenario: string,
): Promise<Partial<Record<'user' | 'local', readonly string[]>>> {
  const file = `${ORACLE}scenarios/30-pretooluse.mjs`;
  const { default: scenarios } = (await import(file)) as {
    default: { name: string; extraSettings?: Record<string, { label: string }[]> }[];
  };
  const extra = scenarios.find(({ name }) => name === scenario)?.extraSettings ?? {};
  return Object.fromEntries(
    Object.entries(extra).map(([layer, hooks]) => [layer, hooks.map(({ label }) => label)]),
  );
}

/** How often the agent tried to stop. */
export function stopsOf({ hooksFired }: Recording): number {
  const inputs = hooksFired.filter(({ event }) => event === 'Stop').map(({ stdin }) => JSON.stringify(stdin));
  return new Set(inputs).size;
}

export { marksIn };
