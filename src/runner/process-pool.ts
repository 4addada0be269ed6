/** How a runner starts processes: so many at once, directly or through a helper. */

import { createLimiter } from '../base/async/limiter.js';
import { HookError, show } from '../base/errors.js';
import { runLimited, type Turn } from '../process/run-limited.js';
import { type ProcessRequest, type RunningProcess, runProcess } from '../process/run-process.js';
import { createSpawnHelper, type SpawnHelper } from '../process/spawn-helper.js';
import { type SpawnMode, shouldUseHelper } from '../process/spawn-mode.js';

export type { SpawnMode };

export class ProcessPool {
  readonly #mode: SpawnMode;
  readonly #limiter;
  #helper: SpawnHelper | undefined;

  constructor(limit: number, mode: SpawnMode = 'auto') {
    if (mode !== 'auto' && mode !== 'direct' && mode !== 'helper') {
      throw new HookError('invalid_option', `spawn is ${show(mode)}; use 'auto', 'direct' or 'helper'.`);
    }
    this.#mode = mode;
    this.#limiter = createLimiter(limit);
  }

  readonly start = (request: ProcessRequest, turn?: Turn): RunningProcess =>
    runLimited(this.#limiter, request, this.#launch, turn);

  readonly #launch = (request: ProcessRequest): RunningProcess => {
    if (!shouldUseHelper(this.#mode)) return runProcess(request);
    this.#helper ??= createSpawnHelper();
    return this.#helper.run(request);
  };

  async close(): Promise<void> {
    await this.#helper?.close();
  }
}
