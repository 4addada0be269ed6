/** `hookline audit verify`: checks the chain of an audit log. */
import { resolve } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { verifyAudit } from '../../guard/audit.js';
import { defineCommand } from '../command.js';

export const command = defineCommand({
  usage: 'audit verify <file> [options]',
  about:
    'Checks a log that the guard audit-log has written: every line must follow the one before it. Names the first line\nthat was changed, added or removed. Lines removed at the end leave no trace: keep the last hash elsewhere, and give it with --head.',
  args: [2, 2],
  options: {
    head: { type: 'string', value: 'HASH', help: 'The log must end with this hash.' },
    json: { type: 'boolean', help: 'Print the result as JSON.' },
  },
  exits: [
    [EXIT.ok, 'the log is as it was written'],
    [EXIT.failed, 'a line does not fit'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [['hookline audit verify .hookline/audit.jsonl', 'says the first line that does not fit']],
  async run({ args: [action = '', file = ''], options, io, cwd }) {
    if (action !== 'verify')
      throw new HookError(
        'invalid_option',
        `There is no hookline audit ${show(action)}. Did you mean verify?`,
      );
    const { printer } = io;
    const report = await verifyAudit(resolve(cwd, file));
    const isCut = report.ok && options.head !== undefined && options.head !== report.head;
    if (options.json) printer.json({ ...report, ok: report.ok && !isCut });
    else if (report.broken !== undefined)
      printer.line(`${printer.paint.red('broken')}  ${file}:${report.broken.line}: ${report.broken.problem}`);
    else if (isCut)
      printer.line(
        `${printer.paint.red('broken')}  ${file} ends with ${report.head}: lines at the end were added or removed.`,
      );
    else
      printer.line(`${printer.paint.green('fine')}  ${report.entries} entries, the last is ${report.head}`);
    return report.ok && !isCut ? EXIT.ok : EXIT.failed;
  },
});
