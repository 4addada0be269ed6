/** Fires of earlier sessions, from recordings: listed, compared, saved and fired again as others are. */
import { basename } from 'node:path';
import { rowOf } from '../events/registry.js';
import { type ReadFire, readRecording } from '../testing/recording/read.js';
import type { Timeline } from './agent-registry.js';
import type { Archive } from './archive.js';
import type { EarlierEvent } from './events.js';
import { effectsIn } from './fires.js';
import { cut, MAX_LENGTHS, showValue } from './show.js';

/** A line of a recording that cannot be shown, and why. */
export interface RecordingProblem {
  readonly line: number;
  readonly message: string;
}

export class EarlierFires {
  readonly #timeline: Timeline;
  readonly #archive: Archive;
  #recordings = 0;

  constructor(timeline: Timeline, archive: Archive) {
    this.#timeline = timeline;
    this.#archive = archive;
  }

  /** Rejects with a HookError if the file cannot be read. */
  async show(file: string): Promise<readonly RecordingProblem[]> {
    const { fires, problems } = await readRecording(file);
    this.#recordings += 1;
    for (const { line, ...recorded } of fires) {
      // Links stay valid if the same recordings are shown again.
      const id = `recording-${this.#recordings}-${line}`;
      this.#archive.add(id, { line: JSON.stringify(recorded), runner: undefined, toolUseID: undefined });
      const at = Date.parse(recorded.at as string);
      this.#timeline.add(eventOf(id, file, { line, ...recorded } as ReadFire), Number.isNaN(at) ? 0 : at);
    }
    return problems;
  }
}

function eventOf(id: string, file: string, fire: ReadFire): Omit<EarlierEvent, 'at'> {
  const { event, input, agentId, durationMs, outcome } = fire;
  const field = rowOf(event).matcherField;
  const subject = field === null ? undefined : input[field];
  return {
    type: 'earlier',
    agent: cut(agentId === undefined ? basename(file) : `${basename(file)}, ${agentId}`, MAX_LENGTHS.name),
    fire: id,
    event,
    ...(typeof subject === 'string' && { subject: cut(subject, MAX_LENGTHS.name) }),
    ...(input['tool_input'] !== undefined && { input: showValue(input['tool_input'], MAX_LENGTHS.input) }),
    ...(durationMs !== undefined && { durationMs }),
    ...(outcome?.decision !== undefined && { decision: cut(outcome.decision, MAX_LENGTHS.name) }),
    ...(outcome?.reason !== undefined && { reason: cut(outcome.reason, MAX_LENGTHS.input) }),
    ...(outcome?.continue !== undefined && { continue: outcome.continue }),
    effects: outcome === undefined ? [] : effectsIn(outcome),
    failures: (outcome?.failures ?? []).map(({ name, message }) =>
      cut(`${name}: ${message}`, MAX_LENGTHS.input),
    ),
  };
}
