/** The two limits of a round: a warning after the soft limit, and no more tools after the grace period. */
import type { Mailbox } from '../port.js';
import { agentOf, type BuiltInHook, builtInOptions, collectAtSafePoints, stableId } from './built-in.js';
import type { RoundTimer } from './round-timer.js';

/** The timer of the rounds, and the tools that end a round. */
export interface RoundTimeoutOptions {
  /** Pass the same timer to both hooks of an agent. */
  readonly timer: RoundTimer;
  /** The tools that end a round; they are never denied. Default: vote, new_answer, stop. */
  readonly terminalTools?: readonly string[] | undefined;
}

const TERMINAL_TOOLS: readonly string[] = ['vote', 'new_answer', 'stop'];

/**
 * Warns once per round, after the first tool that finishes past the soft limit; the grace period starts then. Never
 * throws.
 */
export function createRoundTimeoutPost(
  options: RoundTimeoutOptions & {
    readonly mailbox: Pick<Mailbox, 'put'>;
    /** An extra sentence, for example where to put results. */
    readonly advice?: string | undefined;
  },
): BuiltInHook {
  const { timer, mailbox, terminalTools = TERMINAL_TOOLS, advice } = options;
  const name = 'round-timeout-post';
  return {
    name,
    register: (registrar) =>
      collectAtSafePoints(registrar, name, async (agentId, moment) => {
        // An agent that ends its turn needs no warning.
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
          // An agent that was not warned must not be denied.
          undo();
          throw error;
        }
      }),
  };
}

/**
 * After the grace period, denies all tools except those that end the round, and stops an agent that keeps trying. Never
 * throws.
 */
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
        const over = `The time of this round and its grace period are over: ${input.tool_name} is refused (${count} in a row).`;
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

/** MCP tool names have a prefix: `mcp__workflow__vote` is a vote. */
function isTerminal(toolName: string, terminalTools: readonly string[]): boolean {
  return terminalTools.includes(toolName) || terminalTools.includes(toolName.split('__').at(-1) ?? '');
}

function listed(tools: readonly string[]): string {
  return tools.length < 2 ? tools.join('') : `${tools.slice(0, -1).join(', ')} or ${tools.at(-1)}`;
}
