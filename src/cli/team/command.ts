/** `hookline team`: the agents of a MassGen file work on one question, vote, and the winner presents the result. */
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileErrorOf, HookError, show } from '../../base/errors.js';
import { EXIT } from '../../base/exit-codes.js';
import { withoutLost } from '../../config/lost-protection.js';
import type { MassgenConfig } from '../../dialects/loaders.js';
import { type LiveView, startLiveView } from '../../live/live-view.js';
import { runTeam, type TeamEvent, type TeamResult } from '../../team/index.js';
import { refuseBrokenSettings } from '../../team/wire.js';
import { type Call, defineCommand, type Options } from '../command.js';
import { disposeHooks, HOOK_OPTIONS, type LoadedHooks, loadHooks } from '../hooks/load.js';
import { KEY_OPTIONS } from '../massgen/agent-model.js';
import { RUN_OPTIONS, type RunValues } from '../run/options.js';
import { choosePermissions } from '../run/permissions.js';
import { refuseUnprotected } from '../run/refuse-unprotected.js';
import { reportDiagnostics, reportSkipped, withoutDuplicates } from '../run/skipped-hooks.js';
import { noticesOf } from '../serve/notices.js';
import { openBrowser, PAGE_OPTIONS, portOf } from '../serve/page-options.js';
import { modelsFromEnvironment, modelsFromScript } from './models.js';
import { createTeamOutput, lineOf, type TeamFormat } from './output.js';
import { openStore, type TeamStore } from './store.js';

const { massgen: _massgen, ...OTHER_HOOKS } = HOOK_OPTIONS;

const TEAM_OPTIONS = {
  agent: {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'Run only this agent here; others run in processes of their own, over --files or --redis.',
  },
  files: { type: 'string', value: 'DIR', help: 'Share the team with other processes of this machine.' },
  redis: { type: 'string', value: 'URL', help: 'Share the team with processes of any machine.' },
  session: {
    type: 'string',
    value: 'NAME',
    help: 'The name of the team. Default: new, or, when shared, made from the file and the question.',
  },
  directory: {
    type: 'string',
    value: 'DIR',
    help: 'Workspaces of agents without a cwd, and copies for peers. Default: .hookline/team/NAME.',
  },
  timeout: { type: 'string', value: 'SECONDS', help: 'When the best answer so far wins.' },
  'max-answers': { type: 'string', value: 'N', help: 'How many answers each agent may hand in.' },
  'join-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: 'How long to wait for agents of other processes to start. Default: 60.',
  },
  'lost-after': {
    type: 'string',
    value: 'SECONDS',
    help: 'An agent of another process that is silent for so long is lost. Default: 30.',
  },
  'no-presentation': { type: 'boolean', help: 'The winning answer is the result as it is.' },
  serve: { type: 'boolean', help: 'Show the team on a web page, until you press Ctrl-C.' },
  ...PAGE_OPTIONS,
  json: { type: 'boolean', help: 'Print the result as JSON.' },
  stream: { type: 'boolean', help: 'Print every event as a line of JSON, the result last.' },
  verbose: RUN_OPTIONS.verbose,
  model: { type: 'string', value: 'NAME', help: 'The model of all agents. Default: as the file says.' },
  script: {
    type: 'string',
    value: 'FILE',
    help: 'Scripts (JSON or YAML) by agent, or one for all, that answer instead of models.',
  },
  ...KEY_OPTIONS,
  'permission-mode': RUN_OPTIONS['permission-mode'],
  'dangerously-skip-permissions': RUN_OPTIONS['dangerously-skip-permissions'],
  allowedTools: RUN_OPTIONS.allowedTools,
  disallowedTools: RUN_OPTIONS.disallowedTools,
  'allowed-tools': RUN_OPTIONS['allowed-tools'],
  'disallowed-tools': RUN_OPTIONS['disallowed-tools'],
  'add-dir': RUN_OPTIONS['add-dir'],
  'ignore-broken-settings': RUN_OPTIONS['ignore-broken-settings'],
  ...OTHER_HOOKS,
} as const satisfies Options;

export const command = defineCommand({
  usage: 'team <file> <question> [options]',
  about:
    "Runs the agents of a MassGen file on one question: in parallel, each in its own folder, with the file's hooks, delays and time limits. An answer reaches the others in the middle of their work; when everybody has voted, the winner presents the result. Models are those of the file, with ANTHROPIC_API_KEY or OPENAI_API_KEY; without a key an embedded model demonstrates it.",
  args: [2, 2],
  options: TEAM_OPTIONS,
  examples: [
    ['hookline team team.yaml "Write a poem about the sea"', 'all agents in this process'],
    ['hookline team team.yaml "…" --serve --open', 'watch them on a page, and write to them'],
    [
      'hookline team team.yaml "…" --redis redis://localhost --agent ada',
      'one agent; start the others likewise',
    ],
    ['hookline team team.yaml "…" --script turns.yaml --json', 'rehearse with scripts'],
  ],
  exits: [
    [EXIT.ok, 'the team has decided'],
    [EXIT.failed, 'no agent has handed in an answer'],
    [EXIT.usage, 'wrong usage: an unknown option or agent, a missing file'],
    [
      EXIT.config,
      'a guard, a deny or ask rule, or a settings file of the user, the administrator or a folder that you have approved cannot be read, so nothing was started',
    ],
    [EXIT.interrupted, 'interrupted by Ctrl-C'],
  ],
  run: (call) => team(call),
});

type TeamCall = Call<typeof TEAM_OPTIONS>;

async function team(call: TeamCall): Promise<number> {
  const { args, options, io, cwd } = call;
  const [name = '', question = ''] = args;
  if (options.json && options.stream)
    throw new HookError('invalid_option', '--json and --stream exclude each other; give one of them.');
  const format: TeamFormat = options.json ? 'json' : options.stream ? 'stream' : 'text';
  const tell = (text: string): void => io.printer.note(text);
  const file = resolve(cwd, name);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new HookError('invalid_option', `The file ${show(name)} cannot be read: ${fileErrorOf(error)}.`);
  });
  const values = runValues(options, file);
  const permissions = await choosePermissions(values, cwd);
  const hooks = await loadHooks(cwd, values);
  const ends: (() => unknown)[] = [() => disposeHooks(hooks)];
  try {
    const start = { cwd, ignored: options['ignore-broken-settings'], confirm: io.confirm, report: tell };
    await refuseUnprotected(hooks, permissions.diagnostics, start);
    reportDiagnostics(
      withoutDuplicates([...hooks.diagnostics, ...permissions.diagnostics]),
      options.verbose,
      cwd,
      tell,
    );
    reportSkipped(hooks, { warnings: [] }, tell);
    for (const text of permissions.skipped) tell(text);
    const config = configOf(hooks, file);
    refuseBrokenSettings(config);
    noteChecklist(config, tell);
    const session = sessionOf(options, text, question);
    const ids = config.settings.agents.map(({ id }) => id);
    const store = await openStore(
      { files: folderOf(options.files, cwd), redis: options.redis },
      session,
      ids,
    );
    ends.push(() => store.close());
    refuseAlone(options.agent, ids, store);
    const live =
      options.serve || options.open || options.port !== undefined
        ? await openPage(call, store, ends)
        : undefined;
    const modelFor =
      options.script === undefined
        ? modelsFromEnvironment({ env: process.env, sendKeyTo: options['send-key-to'], tell }, options.model)
        : await modelsFromScript(resolve(cwd, options.script));
    const output = createTeamOutput(format, io.printer, options.verbose);
    let rounds = 0;
    const result = await runTeam(withoutLost(config), question, {
      modelFor,
      directory: folderOf(options.directory, cwd) ?? join(cwd, '.hookline', 'team', session),
      session,
      ...(options.agent.length > 0 && { agents: options.agent }),
      mailbox: store.mailbox,
      log: store.log,
      hooks: hooks.configs.filter((each) => each !== config).map(withoutLost),
      permissions: {
        ...permissions.rules,
        mode: permissions.rules.mode === 'default' ? 'acceptEdits' : permissions.rules.mode,
      },
      timeoutSeconds: numberOf('timeout', options.timeout),
      maxAnswers: numberOf('max-answers', options['max-answers']),
      joinSeconds: numberOf('join-timeout', options['join-timeout']),
      lostSeconds: numberOf('lost-after', options['lost-after']),
      presentation: !options['no-presentation'],
      ...(live !== undefined && { view: live, canUseTool: (agentId: string) => live.canUseTool(agentId) }),
      onEvent: (event) => {
        if (event.type === 'round') rounds += 1;
        output.event(event);
        if (live !== undefined) showOnPage(live, event);
      },
      signal: io.signal,
    });
    if (store.isShared && rounds === 0 && result.status !== 'interrupted')
      tell(
        `The team ${session} has ended before, and this is its result. Give --session NAME to run it again.`,
      );
    output.end(result);
    if (live !== undefined && !io.signal.aborted) {
      tell('The page stays until you press Ctrl-C.');
      await new Promise((resolved) => io.signal.addEventListener('abort', resolved, { once: true }));
    }
    return exitOf(result);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** The setting is for runs with a checklist, and agents of a team have none to submit. */
function noteChecklist({ settings }: MassgenConfig, tell: (text: string) => void): void {
  const isSet = ({ peerUpdates }: (typeof settings.agents)[number]): boolean =>
    peerUpdates.allowMidstreamPeerUpdatesBeforeChecklistSubmit !== undefined;
  if (settings.agents.some(isSet))
    tell(
      'Without effect here, because agents of a team submit no checklist: allow_midstream_peer_updates_before_checklist_submit.',
    );
}

/** What `run` would be given for the same options. */
function runValues(options: TeamCall['options'], file: string): RunValues {
  const none = Object.fromEntries(
    Object.entries(RUN_OPTIONS).map(([name, option]) => [
      name,
      option.type === 'boolean' ? false : 'multiple' in option ? [] : undefined,
    ]),
  );
  const given = Object.fromEntries(Object.entries(options).filter(([name]) => name in RUN_OPTIONS));
  return { ...none, ...given, massgen: [file] } as unknown as RunValues;
}

function configOf(hooks: LoadedHooks, file: string): MassgenConfig {
  const found = hooks.configs.find(
    (config): config is MassgenConfig => 'settings' in config && config.files.includes(file),
  );
  if (found !== undefined) return found;
  throw new HookError('invalid_option', `The file ${show(file)} is not a MassGen configuration.`);
}

const SESSION = /^[A-Za-z0-9_][\w.-]{0,99}$/;

/** Processes that share a team find each other by the file and the question. */
function sessionOf({ session, files, redis }: TeamCall['options'], text: string, question: string): string {
  if (session !== undefined) {
    if (SESSION.test(session)) return session;
    throw new HookError(
      'invalid_option',
      `--session is ${show(session)}; give up to 100 letters, digits, _, - and dots.`,
    );
  }
  if (files === undefined && redis === undefined) return randomUUID().slice(0, 8);
  return createHash('sha256')
    .update(JSON.stringify([text, question]))
    .digest('hex')
    .slice(0, 16);
}

function refuseAlone(chosen: readonly string[], ids: readonly string[], { isShared }: TeamStore): void {
  const unknown = chosen.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new HookError(
      'invalid_option',
      `--agent is ${show(unknown)}, and the agents of the file are: ${ids.join(', ')}. Give one of them.`,
    );
  if (chosen.length === 0 || isShared || ids.every((id) => chosen.includes(id))) return;
  throw new HookError(
    'invalid_option',
    '--agent runs a part of the team, and the others need a way to reach it: add --files DIR or --redis URL.',
  );
}

async function openPage(
  { options, io, args }: TeamCall,
  store: TeamStore,
  ends: (() => unknown)[],
): Promise<LiveView> {
  const live = await startLiveView({
    port: portOf(options.port),
    mailbox: store.mailbox,
    title: `hookline team · ${args[1]}`,
  });
  ends.push(() => live.close());
  io.printer.note(`The page: ${live.url}`);
  if (options.open) await openBrowser(live.invite(), (text) => io.printer.note(text));
  return live;
}

const PLAIN = Object.fromEntries(
  ['bold', 'dim', 'red', 'green', 'magenta'].map((style) => [style, (text: string) => text]),
) as unknown as Parameters<typeof lineOf>[1];

/** Answers, votes and the decision; the rest of a run is on the page anyway. */
function showOnPage(live: LiveView, event: TeamEvent): void {
  if (event.type === 'message' || event.type === 'started') return;
  const line = lineOf(event, PLAIN);
  if (line === undefined) return;
  const agentId =
    'agentId' in event ? event.agentId : event.type === 'decided' ? event.winner?.agentId : undefined;
  live.watch(noticesOf([line], 'info'), { agentId });
}

function folderOf(given: string | undefined, cwd: string): string | undefined {
  return given === undefined ? undefined : resolve(cwd, given);
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new HookError('invalid_option', `--${name} is ${show(text)}; give a number above 0.`);
}

function exitOf({ status }: TeamResult): number {
  if (status === 'interrupted') return EXIT.interrupted;
  return status === 'decided' ? EXIT.ok : EXIT.failed;
}
