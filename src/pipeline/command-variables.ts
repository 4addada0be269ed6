/** Variables for commands that those who watch a fire have, from where a hook is started to where its process is. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProcessRequest } from '../process/run-process.js';

type Variables = Readonly<Record<string, string>>;

/** Between the two there may be an await: what somebody agreed to is checked once more. In use only if there are any. */
const ofHook = new AsyncLocalStorage<Variables>();

/** Commands that are started in here get the variables. */
export function runWithVariables<T>(variables: Variables, run: () => T): T {
  return Object.keys(variables).length === 0 ? run() : ofHook.run(variables, run);
}

/** What a command sets itself counts more than these, and these more than what it inherits. */
export function withVariables(request: ProcessRequest): ProcessRequest {
  const variables = ofHook.getStore();
  if (variables === undefined) return request;
  const env = { ...request.env };
  for (const [name, value] of Object.entries(variables)) {
    const isOwn = env[name] !== undefined && env[name] !== process.env[name];
    if (!isOwn) env[name] = value;
  }
  return { ...request, env };
}
