/** `hookline trust`: which hooks of a folder may run and which of its rules count, and deciding it. */

import { HookError, show } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { didYouMean } from '../../base/text/suggest.js';
import { checkVariable, createTrustStore, SHORT_FINGERPRINT } from '../../config/trust/index.js';
import { tellBroken } from '../check/broken.js';
import { type Call, defineCommand, type Options } from '../command.js';
import { approveLine } from '../hooks/inactive.js';
import { disposeHooks, loadHooks } from '../hooks/load.js';
import { isGrant, reviewGrants } from '../trust/grants.js';
import { chooseHooks, reviewHooks, type TrustedHook } from '../trust/review.js';
import { isCommand, NOTHING_TO_APPROVE, showHooks } from '../trust/show.js';

const OPTIONS = {
  yes: { type: 'boolean', short: 'y', help: 'Do not ask.' },
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME[,NAME]',
    help: 'With approve: pass these variables on to the commands, which get no secrets otherwise. Hooks that are trusted already are approved again with them.',
  },
  json: { type: 'boolean', help: 'Print the hooks and their status as JSON.' },
} as const satisfies Options;

type TrustCall = Call<typeof OPTIONS> & {
  readonly hooks: readonly TrustedHook[];
  readonly chosen: readonly string[];
};

/** Why a hook cannot be approved stands below it. */
const SHOWN_WITH_HOOKS: ReadonlySet<string> = new Set([
  ...['hook_unresolved', 'hook_unreadable', 'script_missing', 'missing_script'],
]);

export const command = defineCommand({
  usage: 'trust [status|approve|revoke] [fingerprint...] [options]',
  about:
    'Hooks that come with a folder run only after somebody has approved them, with the content of their scripts; what the folder\nallows in its permissions counts only then, too. status shows them with what an approval would cover, and what has changed since\nthe last one; approve approves all of them or those whose fingerprints are given; revoke takes it back. Approvals are kept\noutside the folder.',
  args: [0, Number.POSITIVE_INFINITY],
  options: OPTIONS,
  exits: [
    [EXIT.ok, 'everything is trusted; it was approved or revoked'],
    [EXIT.failed, 'something is not trusted, was not approved, or the store is not fit'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline trust', 'what is trusted and what is not'],
    ['hookline trust approve', 'shows the hooks and asks'],
    ['hookline trust approve 3fa9c1d2', 'exactly this hook, exactly as it was shown'],
    ['hookline trust approve 3fa9c1d2 --env SLACK_WEBHOOK_URL', 'and it gets this variable'],
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
        `trust knows no ${show(word)}.${hint} Use status, approve or revoke.`,
      );
    }
    if (action !== approve && call.options.env.length > 0)
      throw new HookError('invalid_option', `--env goes with approve; trust ${word} passes nothing on.`);
    // A folder that is gone, or whose files are broken, can still be forgotten.
    if (action === revoke && chosen.length === 0) return revoke({ ...call, hooks: [], chosen });
    const loaded = await loadHooks(call.cwd, {
      settings: [],
      massgen: [],
      plugin: [],
      'trust-workspace': false,
      'no-user': false,
    });
    try {
      const hooks = [...(await reviewHooks(loaded)), ...(await reviewGrants(call.cwd))];
      const broken = tellBroken(loaded, call.io, SHOWN_WITH_HOOKS);
      if (broken.length > 0 && hooks.length === 0 && !call.options.json) return EXIT.failed;
      const code = await action({ ...call, hooks, chosen });
      // What a broken file says cannot be approved, so not everything has been.
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
  if (open.length > 0 && !options.json) io.printer.line(`\n${adviceFor(open, approveLine(cwd, io))}`);
  return open.length > 0 ? EXIT.failed : EXIT.ok;
}

/** What to do with hooks that are not trusted, of which some may not be fit to be. */
function adviceFor(open: readonly TrustedHook[], line: string): string {
  const fit = open.filter(({ problem }) => problem === undefined);
  if (fit.length === open.length) return `Look at ${open.length === 1 ? 'it' : 'them'}, then: ${line}`;
  const repair = 'Repair what cannot be approved';
  if (fit.length === 0) return `${repair}, then: ${line}`;
  const chosen = fit.map(({ fingerprint }) => fingerprint?.slice(0, SHORT_FINGERPRINT)).join(' ');
  return `${repair}. To approve only the ${fit.length === 1 ? 'other one' : 'others'}: ${line} ${chosen}`;
}

async function approve({ hooks, chosen, options, io, cwd }: TrustCall): Promise<number> {
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
  if (!options.json) showHooks(open, printer, cwd, env);
  const unfit = open.filter(({ problem }) => problem !== undefined);
  if (unfit.length > 0) {
    const told = options.json ? unfit.map(({ description, problem }) => `${description}: ${problem}`) : [];
    printer.complain([...told, `Nothing was approved. ${adviceFor(open, approveLine(cwd, io))}`].join('\n'));
    return EXIT.failed;
  }
  if (!(options.yes || chosen.length > 0) && !(await confirmed(open, io))) return EXIT.failed;
  const store = createTrustStore();
  // As they were shown: one that has changed since is refused.
  for (const group of byConfig(open)) {
    await store.approve(
      cwd,
      group.map(({ subject }) => subject),
      { expected: group.map(({ fingerprint }) => fingerprint), env },
    );
  }
  if (options.json)
    printer.json(
      open.map((hook) => ({ ...toJson(hook), status: 'trusted', env: isCommand(hook) ? env : [] })),
    );
  else printer.line(`\nApproved ${open.length} of ${hooks.length}.`);
  return EXIT.ok;
}

const toJson = ({ subject: _, ...hook }: TrustedHook): object => hook;

async function confirmed(open: readonly TrustedHook[], io: TrustCall['io']): Promise<boolean> {
  const answer = await io.confirm(question(open));
  if (answer === undefined) {
    io.printer.complain(
      'There is nobody to ask here. Give the fingerprints that you approve, or --yes for all.',
    );
  } else if (!answer) io.printer.complain('Nothing was approved.');
  return answer === true;
}

function question(open: readonly TrustedHook[]): string {
  const grants = open.filter(isGrant);
  const files = grants.flatMap(({ matcher }) => matcher ?? []);
  const count = open.length - grants.length;
  const run = count === 0 ? [] : [`${count === 1 ? 'this hook' : `these ${count} hooks`} run`];
  const rules = files.length === 0 ? [] : [`what ${files.join(' and ')} allows count`];
  const git = grants.some(({ event }) => event === 'git') ? ['git run what its repository says'] : [];
  return `Let ${[...run, ...rules, ...git].join(', and ')}?`;
}

async function revoke({ hooks, chosen, options, io, cwd }: TrustCall): Promise<number> {
  const subjects = chooseHooks(hooks, chosen).map(({ subject }) => subject);
  const removed = await createTrustStore().revoke(cwd, chosen.length === 0 ? undefined : subjects);
  if (options.json) io.printer.json({ revoked: removed });
  else io.printer.line(removed === 0 ? 'Nothing was approved here.' : `Revoked ${removed} approvals.`);
  return EXIT.ok;
}

/** A store examines the hooks of one file's configuration together. */
function byConfig(hooks: readonly TrustedHook[]): TrustedHook[][] {
  const indexes = [...new Set(hooks.map(({ config }) => config))];
  return indexes.map((index) => hooks.filter(({ config }) => config === index));
}
