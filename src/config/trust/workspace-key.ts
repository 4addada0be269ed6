/** How a workspace is named in the trust store. */
import { realpath, stat } from 'node:fs/promises';
import { messageOf } from '../../base/errors.js';
import { problem, type TrustProblem } from './problem.js';

/**
 * The real path of the given directory. Its content is not consulted: a repository could claim to belong to another
 * one.
 */
export async function workspaceKey(workspace: string): Promise<string | TrustProblem> {
  try {
    const key = await realpath(workspace);
    if ((await stat(key)).isDirectory()) return key;
    return problem('workspace_unreadable', `The workspace '${workspace}' is not a directory. Give one.`);
  } catch (thrown) {
    const message = `The workspace '${workspace}' cannot be found: ${messageOf(thrown)}. Give the path of a directory.`;
    return problem('workspace_unreadable', message);
  }
}
