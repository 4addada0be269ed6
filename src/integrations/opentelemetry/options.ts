/** The options of telemetry. */
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';

/** The options of telemetry. All are optional. */
export interface InstrumentOptions {
  /**
   * Also records the texts of inputs, results, reasons and outputs, up to 4,000 characters each. They may contain
   * anything that an agent reads or writes. Default: false.
   */
  readonly content?: boolean | undefined;
  /** Also creates spans for fires without hooks. They are counted in any case. Default: false. */
  readonly emptyFires?: boolean | undefined;
}

const OPTIONS: OptionNames<InstrumentOptions> = { content: true, emptyFires: true };

/** Throws a HookError: a truthy value that is not a boolean must not enable the recording of content. */
export function checkOptions(options: InstrumentOptions): InstrumentOptions {
  refuseUnknownOptions('instrument', options, OPTIONS);
  for (const name of ['content', 'emptyFires'] as const) {
    const value: unknown = options[name];
    if (value === undefined || typeof value === 'boolean') continue;
    throw new HookError('invalid_option', `${name} of telemetry is ${show(value)}; use true or false.`);
  }
  return options;
}
