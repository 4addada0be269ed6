/** Environment variables that watchers of a fire add to commands, passed from the start of a hook to its process. */
import type { ProcessRequest } from '../process/run-process.js';

type Variables = Readonly<Record<string, string>>;

/** Set while a hook is being started: a command requests its process before its first await. */
let ofHook: Variables | undefined;

/** Commands that are started inside `run` get the variables. */
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

/** The command's own variables override these, and these override inherited ones. */
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
