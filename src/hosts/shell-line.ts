/** What stands around a program in the line that a host starts: what finds its folder, and what answers if it cannot start. */
import { shellWord } from '../base/text/shell-word.js';
import type { Answer, Host } from '../dialects/host/host.js';
import { isAfterwards, protects } from './answer.js';
import type { NamedEvent } from './decode.js';

/** Goes to the nearest folder, from that of the process up, that has a file: a host may start its hooks in any folder below. */
export function fromFolderWith(file: string): string {
  return `d=$PWD; while [ "$d" ] && [ ! -e "$d"/${shellWord(file)} ]; do d=\${d%/*}; done; cd "$d/" && `;
}

/** A line without what `fromFolderWith` put before it. */
export const withoutFolder = (line: string): string =>
  line.replace(/^d=\$PWD; while .*?; done; cd "\$d\/" && /, '');

/**
 * Answers for a program that cannot even start; most hosts would let the tool run. Where the event cannot refuse, it hides
 * the output of a tool if the host can, and says the problem on stderr. At the end of a turn it refuses nothing: the agent
 * would go on for ever. Where a refusal is exit code 2 itself, the program's own reason stays the only one.
 */
export function orAnswer(host: Host, { spelling, event }: NamedEvent, problem: string): string {
  const own = spelling.events[event];
  if (own === undefined) throw new Error(`there is no ${event}`);
  const context = { event, own, input: {} };
  const say = `echo ${shellWord(problem)} >&2`;
  const pass = host.refusesByExit ? '[ $? -eq 2 ] && exit 2; ' : '';
  const printing = (answer: Answer): string => {
    const { stdout = {}, exit } = spelling.write(answer, context);
    return `|| { ${pass}${say}; echo ${shellWord(JSON.stringify(stdout))}; exit ${exit}; }`;
  };
  if (protects(event, own)) {
    const exited = { kind: 'exited', exitCode: 2, signal: undefined, stdout: '', stderr: problem } as const;
    const refuses = spelling.read(exited, context).refuse !== undefined;
    return refuses ? `|| { ${pass}${say}; exit 2; }` : printing({ refuse: problem });
  }
  const hides = isAfterwards(event) && own.can.includes('replace');
  return hides ? printing({ replace: `Hidden: ${problem}` }) : `|| { ${pass}${say}; exit 1; }`;
}
