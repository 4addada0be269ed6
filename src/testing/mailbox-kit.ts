/** The contract of a mailbox as a list of checks, for any implementation and any test framework. */
import { HookError, show } from '../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import { type CheckDefinition, runnable } from './mailbox-kit/check.js';
import { concurrencyChecks } from './mailbox-kit/checks/concurrency.js';
import { lifeChecks } from './mailbox-kit/checks/ends.js';
import { hostileChecks } from './mailbox-kit/checks/hostile.js';
import { itemChecks } from './mailbox-kit/checks/items.js';
import { leaseChecks } from './mailbox-kit/checks/leases.js';
import { sharingChecks } from './mailbox-kit/checks/sharing.js';
import { targetChecks } from './mailbox-kit/checks/targets.js';
import { timeChecks } from './mailbox-kit/checks/time.js';
import { ALL_FEATURES, FEATURES, type MailboxFeature } from './mailbox-kit/features.js';
import type { MailboxContract, MailboxContractOptions } from './mailbox-kit/types.js';
import { walkCheck } from './mailbox-kit/walk/check.js';

const OPTIONS: OptionNames<MailboxContractOptions> = {
  open: true,
  has: true,
  walks: true,
  seed: true,
  settleMs: true,
  timeoutMs: true,
};

/**
 * Returns the checks that a mailbox must pass. Checks for features it does not have (`has`) are listed in `leftOut`,
 * with the reason:
 *
 * `for (const check of mailboxContract({ open })) it(check.name, check.run);`
 *
 * Nothing is opened before a check runs, and each check has its own `store`, so checks can run in any order or in
 * parallel. Throws a `HookError` for an unknown option or feature.
 */
export function mailboxContract(options: MailboxContractOptions): MailboxContract {
  refuseUnknownOptions('mailboxContract', options, OPTIONS);
  const has = new Set(options.has);
  for (const feature of has) {
    if (ALL_FEATURES.includes(feature)) continue;
    const message = `\`has\` of mailboxContract contains ${show(feature)}; it may contain only ${ALL_FEATURES.join(', ')}.`;
    throw new HookError('invalid_option', message);
  }
  const missing = ({ needs }: CheckDefinition): readonly MailboxFeature[] =>
    needs.filter((feature) => !has.has(feature));
  const all = [
    ...itemChecks,
    ...targetChecks,
    ...leaseChecks,
    ...timeChecks,
    ...lifeChecks,
    ...hostileChecks,
    ...concurrencyChecks,
    ...sharingChecks,
    walkCheck(options),
  ];
  const checks = all.filter((each) => missing(each).length === 0).map((each) => runnable(each, options));
  const leftOut = all.flatMap((each) => {
    const reasons = missing(each).map((feature) => FEATURES[feature]);
    return reasons.length === 0 ? [] : [Object.freeze({ name: each.name, reason: reasons.join('; ') })];
  });
  return Object.freeze(Object.assign(checks, { leftOut: Object.freeze(leftOut) }));
}
