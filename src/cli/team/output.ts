/** What `hookline team` prints while the agents work, and at the end. */
import { cutText } from '../../base/text/cut-text.js';
import type { TeamEvent, TeamResult } from '../../team/index.js';
import type { Paint, Printer } from '../printer.js';

export interface TeamOutput {
  event(event: TeamEvent): void;
  end(result: TeamResult): void;
}

export type TeamFormat = 'text' | 'json' | 'stream';

const MAX_SHOWN = 200;

export function createTeamOutput(format: TeamFormat, printer: Printer, verbose: boolean): TeamOutput {
  if (format === 'json') return { event: () => {}, end: (result) => printer.json(result) };
  if (format === 'stream')
    return {
      event: (event) => {
        if (verbose || event.type !== 'message') printer.record(event);
      },
      end: (result) => printer.record({ type: 'result', ...result }),
    };
  const width = { of: 0 };
  return {
    event: (event) => {
      if (event.type === 'started') width.of = Math.max(...event.agents.map(({ length }) => length));
      const line = lineOf(event, printer.progressPaint, verbose);
      if (line === undefined) return;
      const who = 'agentId' in event ? event.agentId : '';
      printer.progress(`${printer.progressPaint.bold(who.padEnd(width.of))}  ${line}`);
    },
    end: ({ status, final, left }) => {
      if (status === 'decided') printer.line(final);
      if (status !== 'no_answer') return;
      const why = Object.entries(left).map(([agentId, reason]) => `\n  ${agentId}: ${reason}`);
      printer.note(`Nobody has handed in an answer.${why.join('')}`);
    },
  };
}

const short = (text: string): string => cutText(text.replaceAll(/\s+/g, ' ').trim(), MAX_SHOWN);
const named = ({ agentId, revision }: { readonly agentId: string; readonly revision: number }): string =>
  `${agentId}.${revision}`;

/** One line for people; undefined for what is not shown. */
export function lineOf(event: TeamEvent, paint: Paint, verbose = false): string | undefined {
  switch (event.type) {
    case 'started':
      return paint.dim(`team ${event.session}: ${event.agents.join(', ')}`);
    case 'joined':
      return undefined;
    case 'round':
      return paint.dim(`round ${event.round}${event.isVoteOnly ? ', vote only' : ''}`);
    case 'answer':
      return `${paint.bold(`answer ${named(event)}`)}  ${short(event.content)}`;
    case 'vote':
      return `${paint.green(`vote for ${named(event.for)}`)}  ${short(event.reason)}`;
    case 'passed':
      return paint.magenta(`passes: ${short(event.reason)}`);
    case 'left':
      return paint.red(`leaves: ${short(event.reason)}`);
    case 'decided':
      if (event.winner === undefined) return paint.red('there is no answer');
      return paint.bold(
        `${named(event.winner)} wins${event.reason === 'timeout' ? ', the time is over' : ''}`,
      );
    case 'presented':
      return paint.dim('presents the result');
    case 'message':
      return messageLine(event, paint, verbose);
  }
}

function messageLine(
  { message }: Extract<TeamEvent, { type: 'message' }>,
  paint: Paint,
  verbose: boolean,
): string | undefined {
  if (message.type === 'system' && message.subtype === 'injection') {
    const { source_kind: kind, source_label: label, state, strategy } = message;
    if (state !== 'delivered' || kind === 'system') return undefined;
    return paint.bold(`[INJECTION] ${kind} ${label ?? ''} as ${strategy}`);
  }
  if (message.type === 'system' && message.subtype === 'permission_denied')
    return paint.red(`${message.tool_name} refused: ${short(message.message)}`);
  if (message.type !== 'assistant' || !verbose) return undefined;
  const parts = message.message.content.flatMap((block) =>
    block.type === 'text' ? [short(block.text)] : block.type === 'tool_use' ? [`[${block.name}]`] : [],
  );
  return paint.dim(parts.join(' '));
}
