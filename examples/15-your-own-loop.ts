/** Your own loop: where to fire, and what to do with the answers. A list of turns stands in for the model. */
import { type HookOutcome, Runner } from 'hookline';
import { appendInjections, createMailbox, setApart } from 'hookline/injection';

const runner = new Runner();
const mailbox = createMailbox({ agents: ['main'] });

type Turn =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** A hook answered `continue: false`: the run ends. */
class Ended extends Error {}

/** Shows people what hooks say to them, and ends the run if one wants it. */
function obey(outcome: HookOutcome): void {
  for (const message of outcome.systemMessages) console.log(`for people:  ${message}`);
  if (outcome.continue === false) throw new Ended(outcome.stopReason ?? 'ended by a hook');
}

/** What hooks add for the model. */
const added = ({ additionalContext, injections }: HookOutcome) => [
  ...(additionalContext ?? []),
  ...injections.map(setApart),
];

/** What the model reads grows by one text in every round; what it says is read from the list. */
async function runAgent(prompt: string, turns: Iterable<Turn>): Promise<string> {
  const asked = await runner.fire('UserPromptSubmit', { prompt });
  obey(asked);
  if (asked.decision === 'deny') return `refused: ${asked.reason}`;
  const reads = [prompt, ...added(asked)];
  let stop_hook_active = false;
  for (const turn of turns) {
    console.log(`model reads: ${reads.at(-1)}`);
    if ('tool' in turn) {
      reads.push(await useTool(turn.tool, turn.input, `call-${reads.length}`));
      continue;
    }
    console.log(`model says:  ${turn.text}`);
    const stop = await runner.fire('Stop', { stop_hook_active });
    obey(stop);
    if (stop.decision !== 'deny' && stop.continue !== true) return turn.text;
    // A hook wants the agent to go on, and says with what.
    stop_hook_active = true;
    reads.push([stop.reason ?? 'Go on.', ...added(stop)].join('\n'));
  }
  return 'out of turns';
}

async function useTool(
  tool_name: string,
  input: Readonly<Record<string, unknown>>,
  tool_use_id: string,
): Promise<string> {
  const before = await runner.fire('PreToolUse', { tool_name, tool_input: input, tool_use_id });
  obey(before);
  // There is no person to ask, so `ask` is a refusal.
  if (before.decision === 'deny' || before.decision === 'ask')
    return [`refused: ${before.reason}`, ...added(before)].join('\n');
  const tool_input = before.updatedInput ?? input;
  const tool_response = `${tool_name} did ${JSON.stringify(tool_input)}`;
  const after = await runner.fire('PostToolUse', { tool_name, tool_input, tool_response, tool_use_id });
  obey(after);
  const output = String(after.updatedOutput ?? tool_response);
  const feedback = after.decision === 'deny' ? [after.reason ?? ''] : [];
  const lease = await mailbox.take({ agentId: 'main', toolNames: [tool_name] });
  const result = [output, ...added(before), ...added(after), ...feedback].join('\n');
  // With a real model: acknowledge when it has begun to answer, release when the request has failed.
  await lease.acknowledge();
  return appendInjections(result, lease.items);
}

runner.on('PreToolUse', { matcher: 'Bash' }, ({ tool_input }) => {
  const { command } = tool_input;
  if (command.startsWith('rm')) return { decision: 'block', reason: 'nothing is deleted here' };
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: `nice ${command}` } },
  };
});
runner.on('Stop', ({ stop_hook_active }) =>
  stop_hook_active ? undefined : { decision: 'block', reason: 'Say what you did.' },
);
runner.on('PostToolUse', async () => {
  await mailbox.put({ id: 'eva-1', content: 'In metres, please.', source: { kind: 'human', label: 'Eva' } });
});

const turns: readonly Turn[] = [
  { tool: 'Bash', input: { command: 'rm -rf build' } },
  { tool: 'Bash', input: { command: 'measure bridge' } },
  { text: '42 m.' },
  { text: 'I measured the bridge: 42 m.' },
];
const answer = await runAgent('Measure the bridge.', turns).catch((error: unknown) => {
  if (error instanceof Ended) return error.message;
  throw error;
});
console.log(`answer:      ${answer}`);
await runner.dispose();
