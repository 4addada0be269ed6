/** All lists that take one choice for each position. */

/** If there would be more than `max`, `merge` combines several choices into one. */
export function combinations<Choice>(
  places: readonly (readonly Choice[])[],
  max: number,
  merge: (choices: readonly Choice[]) => Choice,
): readonly (readonly Choice[])[] {
  let all: Choice[][] = [[]];
  for (const choices of places) {
    const few = all.length * choices.length > max ? [merge(choices)] : choices;
    // Most positions have one choice: avoid copying lines with thousands of words for each of them.
    if (few.length === 1) for (const list of all) list.push(...few);
    else all = all.flatMap((list) => few.map((choice) => [...list, choice]));
  }
  return all;
}
