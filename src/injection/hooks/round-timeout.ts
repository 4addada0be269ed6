/** The two limits of a round: a warning after the soft one, and no more tools after the grace. */
import type { Mailbox } from '../port.js';
import { agentOf, type BuiltInHook, builtInOptions, collectAtSafePoints, stableId } from './built-in.js';
import type { RoundTimer } from './round-timer.js';

/** The clock of the rounds, and the tools that end one. */
export interface RoundTimeoutOptions {
  /** Both hooks of an agent must be given the same one. */
  readonly timer: RoundTimer;
  /** The tools that end a round; they are never refused. Default: vote, new_answer, stop. */
  readonly terminalTools?: readonly string[] | undefined;
}

const TERMINAL_TOOLS: readonly string[] = ['vote', 'new_answer', 'stop'];

/** Warns once per round, after the first tool that ends behind the soft limit; the grace begins with it. Never throws. */
export function createRoundTimeoutPost(
  options: RoundTimeoutOptions & {
    readonly mailbox: Pick<Mailbox, 'put'>;
    /** One more sentence, such as where results have to be. */
    readonly advice?: string | undefined;
  },
): BuiltInHook {
  const { timer, mailbox, terminalTools = TERMINAL_TOOLS, advice } = options;
  const name = 'round-timeout-post';
  return {
    name,
    register: (registrar) =>
      collectAtSafePoints(registrar, name, async (agentId, moment) => {
        // An agent that ends its turn by itself needs no reminder to come to an end.
        if (moment !== 'mid-stream' || !timer.needsWarning(agentId)) return;
        const content = [
          `The time of this round is over: ${Math.floor(timer.elapsedSeconds(agentId))} of ${timer.limitOf(agentId)} seconds are used.`,
          `Bring what you are doing to an end and use ${listed(terminalTools)}.`,
          `In ${timer.graceSeconds} seconds all other tools will be refused.`,
          ...(advice === undefined ? [] : [advice]),
        ].join(' ');
        const undo = timer.noteWarning(agentId);
        try {
          await mailbox.put({
            id: stableId('round', agentId, String(timer.roundOf(agentId)), content),
            content,
            strategy: 'tool_result',
            source: { kind: 'system', label: name },
            to: agentId,
            priority: 10,
          });
        } catch (error) {
          // Nobody is refused anything without having been warned.
          undo();
          throw error;
        }
      }),
  };
}

/** After the grace only the tools that end the round are left. An agent that goes on trying is ended. Never throws. */
export function createRoundTimeoutPre(options: RoundTimeoutOptions): BuiltInHook {
  const { timer, terminalTools = TERMINAL_TOOLS } = options;
  const name = 'round-timeout-pre';
  return {
    name,
    register: (registrar) =>
      registrar.on('PreToolUse', builtInOptions(name), (input, _id, context) => {
        const agentId = agentOf(input, context);
        if (!timer.isOver(agentId) || isTerminal(input.tool_name, terminalTools)) {
          timer.noteAllowed(agentId);
          return undefined;
        }
        const count = timer.noteDenial(agentId);
        const over = `The time of this round is over, the grace too: ${input.tool_name} is refused (${count} in a row).`;
        const reason = `${over} Use ${listed(terminalTools)} now.`;
        if (timer.mustTerminate(agentId)) {
          const stopReason = `The agent ${agentId} went on after the end of its round: ${count} tools in a row were refused.`;
          return { decision: 'block', reason, continue: false, stopReason };
        }
        const warning =
          count < 3 ? '' : ` After ${timer.maxDenials} refusals in a row the round is ended for you.`;
        return { decision: 'block', reason: reason + warning };
      }),
  };
}

/** MCP servers put their names before those of their tools: `mcp__workflow__vote` is a vote. */
function isTerminal(toolName: string, terminalTools: readonly string[]): boolean {
  return terminalTools.includes(toolName) || terminalTools.includes(toolName.split('__').at(-1) ?? '');
}

function listed(tools: readonly string[]): string {
  return tools.length < 2 ? tools.join('') : `${tools.slice(0, -1).join(', ')} or ${tools.at(-1)}`;
}
