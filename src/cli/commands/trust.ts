/**
 * `hookline trust`: shows which hooks of a folder may run and which of its rules apply, and approves or revokes them.
 */

import { HookError, show } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { didYouMean } from '../../base/text/suggest.js';
import { SHORT_FINGERPRINT } from '../../config/loaded.js';
import { coveredTexts } from '../../config/trust/covered-texts.js';
import { checkVariable } from '../../config/trust/store-types.js';
import { createTrustStore } from '../../config/trust/trust-store.js';
import { SOURCE_OPTIONS } from '../../dialects/sources.js';
import { reportBroken } from '../check/broken.js';
import { type Call, defineCommand, type Options } from '../command.js';
import { approveLine } from '../hooks/inactive.js';
import { disposeHooks, type LoadedHooks, loadHooks } from '../hooks/load.js';
import { isGrant, isOfGit, reviewGrants } from '../trust/grants.js';
import { chooseHooks, endedBy, reviewHooks, type TrustedHook } from '../trust/review.js';
import { isCommand, NOTHING_TO_APPROVE, showHooks } from '../trust/show.js';

const OPTIONS = {
  yes: { type: 'boolean', short: 'y', help: 'Do not ask.' },
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME[,NAME]',
    help: 'With approve: pass these variables to the commands, which otherwise get no secrets. Hooks that are already trusted are approved again with them.',
  },
  'hooks-of': SOURCE_OPTIONS['hooks-of'],
  json: { type: 'boolean', help: 'Print the hooks and their status as JSON.' },
} as const satisfies Options;

type TrustCall = Call<typeof OPTIONS> & {
  readonly loaded: LoadedHooks | undefined;
  readonly hooks: readonly TrustedHook[];
  readonly chosen: readonly string[];
};

/** The reason a hook cannot be approved is shown below the hook. */
const SHOWN_WITH_HOOKS: ReadonlySet<string> = new Set([
  ...['hook_unresolved', 'hook_unreadable', 'script_missing', 'missing_script'],
]);

export const command = defineCommand({
  usage: 'trust [status|approve|revoke] [fingerprint...] [options]',
  about:
    'Hooks that come with a folder run only after you approve them together with the content of their scripts. The same holds\nfor what the folder allows in its permissions. status shows them, what an approval would cover, and what has changed since\nthe last one; approve approves all of them, or those whose fingerprints you give; revoke removes approvals. What was approved\nand is gone is shown too: approve accepts that. Approvals are stored outside the folder.',
  args: [0, Number.POSITIVE_INFINITY],
  options: OPTIONS,
  exits: [
    [EXIT.ok, 'everything is trusted, or was approved or revoked'],
    [EXIT.failed, 'something is not trusted or was not approved, or the store cannot be used'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline trust', 'what is trusted and what is not'],
    ['hookline trust approve', 'shows the hooks and asks'],
    ['hookline trust approve 3fa9c1d2', 'only this hook, exactly as shown'],
    ['hookline trust approve 3fa9c1d2 --env SLACK_WEBHOOK_URL', 'and pass it this variable'],
    ['hookline trust revoke', 'everything of this folder'],
  ],
  async run(call) {
    const [word = 'status', ...chosen] = call.args;
    const actions: Readonly<Record<string, (call: TrustCall) => Promise<number>>> = {
      status,
      approve,
      revoke,
    };
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
    if (action === undefined) {
      const hint = didYouMean(word, Object.keys(actions));
      throw new HookError(
        'invalid_option',
        `trust has no action ${show(word)}.${hint} Use status, approve or revoke.`,
      );
    }
    if (action !== approve && call.options.env.length > 0)
      throw new HookError('invalid_option', `--env works only with approve, not with trust ${word}.`);
    // Approvals can be revoked even if the folder is gone or its files are broken.
    if (action === revoke && chosen.length === 0)
      return revoke({ ...call, hooks: [], chosen, loaded: undefined });
    const loaded = await loadHooks(call.cwd, { 'hooks-of': call.options['hooks-of'] });
    try {
      const hooks = [...(await reviewHooks(loaded)), ...(await reviewGrants(call.cwd))];
      const broken = reportBroken(loaded, call.io, SHOWN_WITH_HOOKS);
      if (broken.length > 0 && hooks.length === 0 && !call.options.json) return EXIT.failed;
      const code = await action({ ...call, hooks, chosen, loaded });
      // The contents of a broken file cannot be approved, so not everything was approved.
      return broken.length > 0 && code === EXIT.ok ? EXIT.failed : code;
    } finally {
      await disposeHooks(loaded);
    }
  },
});

async function status({ hooks, chosen, options, io, cwd }: TrustCall): Promise<number> {
  const shown = chooseHooks(hooks, chosen);
  if (options.json) io.printer.json(shown.map(toJson));
  else showHooks(shown, io.printer, cwd);
  const open = shown.filter((hook) => hook.status !== 'trusted');
  if (open.length > 0 && !options.json)
    io.printer.line(`\n${adviceFor(open, approveLine(cwd, io, options['hooks-of']))}`);
  return open.length > 0 ? EXIT.failed : EXIT.ok;
}

/** What to do about untrusted hooks, some of which may not be approvable. */
function adviceFor(open: readonly TrustedHook[], line: string): string {
  const approvable = open.filter(({ problem }) => problem === undefined);
  if (open.every(isGone))
    return `Restore ${open.length === 1 ? 'it' : 'them'}, or accept that ${open.length === 1 ? 'it is' : 'they are'} gone: ${line}`;
  if (approvable.length === open.length) return `Look at ${open.length === 1 ? 'it' : 'them'}, then: ${line}`;
  const repair = 'Repair what cannot be approved';
  if (approvable.length === 0) return `${repair}, then: ${line}`;
  const chosen = approvable.map(({ fingerprint }) => fingerprint?.slice(0, SHORT_FINGERPRINT)).join(' ');
  return `${repair}. To approve only the ${approvable.length === 1 ? 'other one' : 'others'}: ${line} ${chosen}`;
}

async function approve({ hooks, chosen, options, io, cwd, loaded }: TrustCall): Promise<number> {
  const { printer } = io;
  const env = options.env.flatMap((names) => names.split(',')).map((name) => name.trim());
  for (const name of env) checkVariable(name);
  const open = chooseHooks(hooks, chosen).filter(
    (hook) => hook.status !== 'trusted' || (env.length > 0 && isCommand(hook)),
  );
  if (open.length === 0) {
    printer.line(hooks.length === 0 ? NOTHING_TO_APPROVE : 'Everything is trusted already.');
    return EXIT.ok;
  }
  const asks = !(options.yes || chosen.length > 0);
  // The person who is asked sees what they approve. Of a hook that was approved before, the difference is shown.
  const texts = new Map(
    asks
      ? await Promise.all(
          open
            .filter(({ changes, status }) => changes === undefined && status !== 'removed')
            .map(async (hook) => [hook, await coveredTexts(hook.subject, cwd)] as const),
        )
      : [],
  );
  if (!options.json) showHooks(open, printer, cwd, { env, texts });
  const unapprovable = open.filter(({ problem }) => problem !== undefined);
  if (unapprovable.length > 0) {
    const reasons = options.json
      ? unapprovable.map(({ description, problem }) => `${description}: ${problem}`)
      : [];
    printer.note(
      [
        ...reasons,
        `Nothing was approved. ${adviceFor(open, approveLine(cwd, io, options['hooks-of']))}`,
      ].join('\n'),
    );
    return EXIT.failed;
  }
  if (asks && !(await confirmed(open, io))) return EXIT.failed;
  const store = createTrustStore();
  // Only as shown: a hook that has changed since then is rejected.
  const [gone, present] = [open.filter(isGone), open.filter((hook) => !isGone(hook))];
  for (const group of byConfig(present)) {
    await store.approve(
      cwd,
      group.map(({ subject }) => subject),
      { expected: group.map(({ fingerprint }) => fingerprint), env },
    );
  }
  const ended = loaded === undefined ? [] : endedBy(open, chosen.length === 0, loaded);
  if (ended.length > 0) await store.withdraw(cwd, ended);
  if (options.json)
    printer.json(
      open.map((hook) =>
        isGone(hook) ? toJson(hook) : { ...toJson(hook), status: 'trusted', env: isCommand(hook) ? env : [] },
      ),
    );
  else printer.line(`\n${doneText(present.length, gone.length, hooks)}`);
  return EXIT.ok;
}

const isGone = ({ status }: TrustedHook): boolean => status === 'removed';

function doneText(approved: number, withdrawn: number, hooks: readonly TrustedHook[]): string {
  const there = hooks.filter((hook) => !isGone(hook)).length;
  const done = approved > 0 || withdrawn === 0 ? [`Approved ${approved} of ${there}.`] : [];
  if (withdrawn > 0)
    done.push(
      `Withdrew the approval of ${withdrawn === 1 ? 'a hook that is' : `${withdrawn} hooks that are`} gone.`,
    );
  return done.join(' ');
}

const toJson = ({ subject: _, ...hook }: TrustedHook): object => hook;

async function confirmed(open: readonly TrustedHook[], io: TrustCall['io']): Promise<boolean> {
  const answer = await io.confirm(question(open));
  if (answer === undefined) {
    io.printer.note(
      'Cannot ask for confirmation without a terminal. Give the fingerprints that you approve, or --yes for all.',
    );
  } else if (!answer) io.printer.note('Nothing was approved.');
  return answer === true;
}

function question(open: readonly TrustedHook[]): string {
  const gone = open.filter(isGone).length;
  if (gone > 0) {
    const present = open.filter((hook) => !isGone(hook));
    const accept = `Accept that ${gone === 1 ? 'what is shown as removed is' : `these ${gone} are`} gone`;
    return present.length === 0 ? `${accept}?` : `${accept}, and ${decapitalised(question(present))}`;
  }
  const grants = open.filter(isGrant);
  const files = grants.flatMap(({ matcher }) => matcher ?? []);
  const count = open.length - grants.length;
  const parts = [
    ...(count === 0 ? [] : [count === 1 ? 'this hook' : `these ${count} hooks`]),
    ...(files.length === 0 ? [] : [`the allow rules of ${files.join(' and ')}`]),
    ...(grants.some(isOfGit) ? ['what git runs here'] : []),
  ];
  const [last = '', ...others] = parts.reverse();
  return `Approve ${[...(others.length > 0 ? [others.reverse().join(', ')] : []), last].join(' and ')}?`;
}

const decapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

async function revoke({ hooks, chosen, options, io, cwd, loaded }: TrustCall): Promise<number> {
  const store = createTrustStore();
  const shown = chooseHooks(hooks, chosen);
  const gone = loaded === undefined ? [] : endedBy(shown, false, loaded);
  const subjects = shown.filter((hook) => !isGone(hook)).map(({ subject }) => subject);
  const whole = chosen.length === 0;
  const removed =
    (whole || subjects.length > 0 ? await store.revoke(cwd, whole ? undefined : subjects) : 0) +
    (gone.length > 0 ? await store.withdraw(cwd, gone) : 0);
  if (options.json) io.printer.json({ revoked: removed });
  else io.printer.line(removed === 0 ? 'Nothing was approved here.' : `Revoked ${removed} approvals.`);
  return EXIT.ok;
}

/** The store examines the hooks of one file's configuration together. */
function byConfig(hooks: readonly TrustedHook[]): TrustedHook[][] {
  const indexes = [...new Set(hooks.map(({ config }) => config))];
  return indexes.map((index) => hooks.filter(({ config }) => config === index));
}
