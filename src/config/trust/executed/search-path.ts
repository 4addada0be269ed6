/** Searches a name in PATH, as far as PATH leads into the workspace or the plugin. */
import { delimiter } from 'node:path';
import type { ShellCommand } from '../../../shell/read-line.js';
import type { ExecutedFiles, Variables } from './executed-files.js';
import { isExecutable, pathFrom } from './places.js';

/**
 * Adds the first match, if it is ours. If the line itself sets PATH, a missing file is covered too, because creating it
 * would change what runs.
 */
export function searchPath(
  name: string,
  folders: readonly string[] | undefined,
  variables: Variables,
  command: ShellCommand,
  executed: ExecutedFiles,
): void {
  const own = ownPaths(command);
  for (const path of own ?? [variables['PATH']]) {
    const places = path === undefined ? undefined : placesIn(path, folders);
    if (places === undefined)
      executed.fail(`Where \`${name}\` is looked for is only known when the hook runs`);
    else searchIn(places, name, own !== undefined, executed);
  }
}

/** The values of PATH that the line sets for this command; undefined if it sets none. */
export function ownPaths({
  assignments,
  carrier,
  searched,
}: ShellCommand): readonly (string | undefined)[] | undefined {
  const assigned = assignments.findLast(({ name }) => name === 'PATH');
  if (assigned !== undefined) return [assigned.value?.value];
  const outer = carrier && ownPaths(carrier);
  return outer ?? searched;
}

/** Undefined if one of them depends on an unknown folder. */
function placesIn(path: string, folders: readonly string[] | undefined): readonly string[] | undefined {
  const places = path.split(delimiter).map((place) => (place === '' ? '.' : place));
  if (folders === undefined) return places.every((place) => place.startsWith('/')) ? places : undefined;
  return places.flatMap((place) =>
    place.startsWith('/') ? [place] : folders.map((folder) => pathFrom(folder, place)),
  );
}

function searchIn(places: readonly string[], name: string, isOwn: boolean, executed: ExecutedFiles): void {
  const last = places.findLastIndex((place) => executed.isOurs(place));
  for (const place of places.slice(0, last + 1)) {
    const path = pathFrom(place, name);
    const isThere = isExecutable(path);
    if (executed.isOurs(place)) {
      executed.folders.add(place);
      if (isThere || isOwn) executed.add(path, { needed: isThere, program: true });
    }
    if (isThere) return;
  }
}
