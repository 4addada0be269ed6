/** A loop with real hooks and a scripted model, in a fresh directory; everything is gone at the end of the test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AgentLoop, type Run } from '../../../../src/agent/loop/agent-loop.js';
import type { LoopMessage, ResultMessage } from '../../../../src/agent/loop/messages.js';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import type { Prompt } from '../../../../src/agent/loop/run-prompt.js';
import type { Model, ModelRequest } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import type { ScriptedTurn } from '../../../../src/agent/models/scripted-schema.js';
import type { HookConfig, Runner, RunnerOptions } from '../../../../src/index.js';
import { makeRunner } from '../../../support/runner.js';

export interface LoopSetup {
  readonly hooks?: HookConfig | undefined;
  /** What the model says, turn by turn. */
  readonly turns?: readonly ScriptedTurn[] | undefined;
  readonly options?: Partial<AgentLoopOptions> | undefined;
  readonly runner?: RunnerOptions | undefined;
  /** Registers what cannot be said as a configuration: files, hooks of one agent. */
  readonly prepare?: ((made: { readonly runner: Runner; readonly cwd: string }) => unknown) | undefined;
}

export interface MadeLoop {
  readonly loop: AgentLoop;
  readonly runner: Runner;
  /** Where the agent works: empty at first. */
  readonly cwd: string;
  /** Where the transcripts are. */
  readonly transcripts: string;
  /** What the scripted model was asked; empty when `options.model` is another one. */
  readonly requests: readonly ModelRequest[];
}

export interface ReadRun {
  readonly messages: readonly LoopMessage[];
  readonly result: ResultMessage;
}

export type RanLoop = MadeLoop & ReadRun;

/** A workspace and a place for transcripts, beside each other. */
export function makePlaces(): { readonly cwd: string; readonly transcripts: string } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-loop-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [cwd, transcripts] = [join(dir, 'workspace'), join(dir, 'transcripts')];
  mkdirSync(cwd);
  return { cwd, transcripts };
}

/** Hooks run when the test ends in the opposite order: first the session is closed, then its runner disposed. */
export async function makeLoop(setup: LoopSetup = {}): Promise<MadeLoop> {
  const places = makePlaces();
  const { runner } = makeRunner({
    cwd: places.cwd,
    ...setup.runner,
    ...(setup.hooks && { hooks: setup.hooks }),
  });
  await setup.prepare?.({ runner, cwd: places.cwd });
  const scripted = scriptedModel(setup.turns ?? []);
  const model: Model = scripted;
  const loop = new AgentLoop({ model, hooks: runner, ...places, ...setup.options });
  onTestFinished(() => loop.close());
  return { loop, runner, ...places, requests: scripted.requests };
}

/** Reads a run to its end. */
export async function readRun(run: Run): Promise<ReadRun> {
  const messages: LoopMessage[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { messages, result: step.value };
    messages.push(step.value);
  }
}

/** One prompt, from a new loop to its result. */
export async function runLoop(setup: LoopSetup & { readonly prompt?: Prompt }): Promise<RanLoop> {
  const made = await makeLoop(setup);
  return { ...made, ...(await readRun(made.loop.run(setup.prompt ?? 'Do it.'))) };
}
