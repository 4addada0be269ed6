/** Filters the files that a search may show: hides those that a rule keeps from being read. */
import type { JudgedCall } from './judged-call.js';
import { createLinkFollower } from './paths.js';
import { pathFieldOf } from './rule-tools.js';
import type { PermissionState } from './state.js';

/** Takes absolute paths. Contract: the cost of one test is bounded by the rules and the length of the path. */
export function createReadFilter(judged: JudgedCall, { rules }: PermissionState): (path: string) => boolean {
  // Ask rules that matched the call itself have been approved with it.
  const asking = rules.of('ask').filter((rule) => !judged.isCaughtBy(rule));
  const hiding = [...rules.of('deny'), ...asking].filter(
    ({ tool, specifier }) =>
      specifier !== undefined &&
      (tool === 'Read' || (judged.names.includes(tool) && pathFieldOf(tool) !== undefined)),
  );
  if (hiding.length === 0) return () => true;
  const follow = createLinkFollower();
  return (path) => !judged.isFileCaughtBy(hiding, { path, real: follow(path) });
}
