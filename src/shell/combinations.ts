/** One of each: all lists that can be made by taking one of the choices for each place. */

/** Where that would be more than `max`, `merge` makes one choice out of several. */
export function combinations<Choice>(
  places: readonly (readonly Choice[])[],
  max: number,
  merge: (choices: readonly Choice[]) => Choice,
): readonly (readonly Choice[])[] {
  let all: Choice[][] = [[]];
  for (const choices of places) {
    const few = all.length * choices.length > max ? [merge(choices)] : choices;
    // Most places have one choice: lines with thousands of words are not copied for each of them.
    if (few.length === 1) for (const list of all) list.push(...few);
    else all = all.flatMap((list) => few.map((choice) => [...list, choice]));
  }
  return all;
}
