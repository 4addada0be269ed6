/** The first lines of a session: what runs here, and with which hooks. */
import { escapeControls } from '../../../base/json/escape-controls.js';
import type { Paint } from '../../printer.js';
import type { Prepared } from '../prepare.js';

export function headerLines({ hooks, modelName, mode }: Prepared, cwd: string, paint: Paint): string[] {
  const skipped = hooks.entries.filter(({ hook }) => hook.inactive !== undefined);
  const reasons = [...new Set(skipped.map(({ hook }) => hook.inactive?.reason ?? ''))].join(', ');
  const loaded = hooks.entries.length - skipped.length;
  const skippedText = skipped.length === 0 ? '' : paint.magenta(`, ${skipped.length} skipped (${reasons})`);
  return [
    `${paint.bold('hookline')} ${paint.dim('in')} ${escapeControls(cwd)}`,
    `${paint.dim('model')} ${escapeControls(modelName())}  ${paint.dim('mode')} ${mode}  ${paint.dim('hooks')} ${loaded} loaded${skippedText}`,
    paint.dim('/help lists the commands, Escape interrupts, Ctrl-D ends.'),
  ];
}
