/** The variables that a command sets, and what programs run because of them. */
import type { Carried } from './carrying.js';
import type { ShellCommand } from './line.js';
import { holdsProgram, programIn } from './variables.js';

/** `GIT_PAGER='line' git log`: what programs run because of the variables that it sets. */
export function givenTo(command: ShellCommand): readonly Carried[] {
  return assignedBy(command).flatMap(({ name, value }): readonly Carried[] => {
    if (!holdsProgram(name)) return [];
    if (value === undefined)
      return [{ unknown: `what ${name} makes programs run is only known when it runs` }];
    const line = programIn(name, value);
    return line === undefined ? [] : [{ line }];
  });
}

const DECLARES = /^(?:export|declare|typeset|readonly|local)$/;

/** The variables that a command sets, in front of it or as `export NAME=value`; an unknown value is undefined. */
export function assignedBy({
  assignments,
  words: [name, ...args],
}: ShellCommand): readonly { readonly name: string; readonly value: string | undefined }[] {
  const declared = DECLARES.test(name?.value ?? '') ? args : [];
  return [
    ...assignments.map((each) => ({ name: each.name, value: each.value?.value })),
    ...declared.flatMap(({ value, raw }) => {
      const [whole, variable] = /^([A-Za-z_]\w*)\+?=/.exec(value ?? raw) ?? [];
      return whole === undefined || variable === undefined
        ? []
        : [{ name: variable, value: value?.slice(whole.length) }];
    }),
  ];
}
