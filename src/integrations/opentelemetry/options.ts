/** What telemetry can be told. */
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';

/** What telemetry can be told. Nothing is needed. */
export interface InstrumentOptions {
  /**
   * Also records what inputs, answers, reasons and outputs say, each up to 4,000 characters. They may hold anything that
   * an agent reads or writes. Default: false.
   */
  readonly content?: boolean | undefined;
  /** Also makes spans for fires that no hook answered. They are counted in any case. Default: false. */
  readonly emptyFires?: boolean | undefined;
}

const OPTIONS: OptionNames<InstrumentOptions> = { content: true, emptyFires: true };

/** Throws a HookError: a word in place of a boolean must not give content away. */
export function checkOptions(options: InstrumentOptions): InstrumentOptions {
  refuseUnknownOptions('instrument', options, OPTIONS);
  for (const name of ['content', 'emptyFires'] as const) {
    const value: unknown = options[name];
    if (value === undefined || typeof value === 'boolean') continue;
    throw new HookError('invalid_option', `${name} of telemetry is ${show(value)}; use true or false.`);
  }
  return options;
}
