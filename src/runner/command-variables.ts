/** Variables for commands that those who watch a fire have, from where a hook is started to where its process is. */
import type { ProcessRequest } from '../process/run-process.js';

type Variables = Readonly<Record<string, string>>;

/** Of the hook that is being started: a command asks for its process before its first await. */
let ofHook: Variables | undefined;

/** Commands that are started in here get the variables. */
export function runWithVariables<T>(variables: Variables, run: () => T): T {
  if (Object.keys(variables).length === 0) return run();
  const outer = ofHook;
  ofHook = variables;
  try {
    return run();
  } finally {
    ofHook = outer;
  }
}

/** What a command sets itself counts more than these, and these more than what it inherits. */
export function withVariables(request: ProcessRequest): ProcessRequest {
  const variables = ofHook;
  if (variables === undefined) return request;
  const env = { ...request.env };
  for (const [name, value] of Object.entries(variables)) {
    const isOwn = env[name] !== undefined && env[name] !== process.env[name];
    if (!isOwn) env[name] = value;
  }
  return { ...request, env };
}
