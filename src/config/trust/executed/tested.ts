/** Files that a command only tests for: `[ -f file ]`. A tested file may be missing. */
import type { ShellCommand } from '../../../shell/read-line.js';
import { pathFrom } from './places.js';

export function testedBy({ words: [name, ...args], folders }: ShellCommand): readonly string[] {
  if (name?.value !== 'test' && name?.value !== '[') return [];
  return args.flatMap(({ value }, index) => {
    const isTested = /^-[efrsx]$/.test(args[index - 1]?.value ?? '');
    return isTested && value !== undefined ? (folders ?? []).map((folder) => pathFrom(folder, value)) : [];
  });
}
