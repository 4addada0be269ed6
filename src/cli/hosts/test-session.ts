/** Runs a hook test through a host: our input in its words, the bridge's answer read as the host reads it. */
import type { LoadedConfig } from '../../config/loaded.js';
import { parsed } from '../../dialects/host/answers.js';
import { limited } from '../../dialects/host/dialect.js';
import type { Answer, Host, HostEvent } from '../../dialects/host/host.js';
import { spellingFor, toHost } from '../../dialects/host/translate.js';
import { answerHost } from '../../hosts/bridge.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { Fired, HookSession } from '../../testing/session.js';
import { underBothNames } from './fire-call.js';

/** Begins the reason why a guard has no effect in a host: it has no such event, or ignores answers to it. */
export const CANNOT = 'Cannot guard: ';

/**
 * The same hooks; what they decide has gone to the host and back. `open` starts a session with hooks of which some may be
 * left out: for each call, those whose matcher knows the tool under one of its names there.
 */
export function throughHost(
  host: Host,
  session: HookSession,
  open: (narrowed: (config: LoadedConfig) => LoadedConfig) => HookSession,
): HookSession {
  return {
    runner: session.runner,
    explain: session.explain,
    close: () => session.close(),
    async fire({ event, input, agentId, hook }) {
      const tool = input['tool_name'];
      const spelling = spellingFor(host, event, tool);
      const own = spelling?.events[event];
      if (spelling === undefined || own === undefined)
        throw new Error(
          `${CANNOT}${host.title} has no event for ${event}${tool === undefined ? '' : ` of ${tool}`}`,
        );
      const text = JSON.stringify(toHost(spelling, event, { ...input, hook_event_name: own.name }));
      let last: Fired | undefined;
      const answer = await answerHost({
        host,
        text,
        event: own.name,
        fire: async (name, given, call) => {
          const called = open((config) => underBothNames(config, name, given, call));
          try {
            const own = { ...given, host: host.name };
            last = await called.fire({ event: name, input: own, agentId, hook });
          } finally {
            await called.close();
          }
          return { outcome: last.outcome, problems: [] };
        },
      });
      if (last === undefined) throw new Error(answer.stderr.join('; '));
      const exit = {
        kind: 'exited',
        exitCode: answer.exit,
        signal: undefined,
        stdout: answer.stdout,
        stderr: host.refusesByExit ? answer.stderr.join('\n') : '',
      } as const;
      const understood = limited(spelling.read(exit, { event, own, input }), own);
      checkActed(host, own, last.outcome, understood);
      return { ...last, outcome: outputAsGiven(last.outcome, input['tool_response']) };
    },
  };
}

/** Hosts send a tool's output as text. What a hook makes of it is compared in the form in which the test gave it. */
function outputAsGiven(outcome: HookOutcome, given: unknown): HookOutcome {
  const { updatedOutput } = outcome;
  const restored =
    typeof given === 'object' && typeof updatedOutput === 'string' ? parsed(updatedOutput) : undefined;
  return restored === undefined ? outcome : { ...outcome, updatedOutput: restored };
}

/** Throws if the host acts otherwise than the hooks decided. Stricter is as expected where it cannot do what they said. */
function checkActed({ title }: Host, own: HostEvent, outcome: HookOutcome, understood: Answer): void {
  const { refuse, ask, stop, rewrite, replace, context } = understood;
  const { decision, updatedInput } = outcome;
  const objects =
    decision === 'deny' || decision === 'ask' || decision === 'defer' || outcome.continue === false;
  const heeded = [refuse, ask, stop, replace, context].some((part) => part !== undefined);
  if (objects && !heeded) throw new Error(`${CANNOT}${title} goes on: it cannot refuse on ${own.name}`);
  if (updatedInput !== undefined && rewrite === undefined && !heeded)
    throw new Error(`${title} uses the input that a hook wanted changed`);
  if (outcome.updatedOutput !== undefined && replace === undefined)
    throw new Error(`${CANNOT}${title} cannot replace the output on ${own.name}`);
  if ((outcome.additionalContext?.length ?? 0) > 0 && !heeded)
    throw new Error(`${CANNOT}${title} takes no context on ${own.name}`);
  if (!objects && updatedInput === undefined && (refuse ?? ask ?? stop) !== undefined)
    throw new Error(`${title} refuses what the hooks let through: ${refuse ?? ask ?? stop}`);
}
