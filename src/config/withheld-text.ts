/** Explains which variables a workspace hook did not get if it fails without them. */
import type { Completion } from '../handlers/completion.js';
import type { RunHook } from '../handlers/hook.js';
import { type LoadedHook, SHORT_FINGERPRINT } from './loaded.js';

/** The hint for the user; undefined if nothing is withheld. */
export function withheldText(names: readonly string[], fingerprint: string | undefined): string | undefined {
  if (names.length === 0) return undefined;
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const which = fingerprint === undefined ? '' : ` ${fingerprint.slice(0, SHORT_FINGERPRINT)}`;
  return `${names.join(', ')} ${are} set but withheld from this hook; use hookline trust approve${which} --env ${names.join(',')} to pass ${them}`;
}

/** Adds the withheld variables that a hook mentions to its failure. */
export function explainingFailure(run: RunHook, { withheld, approval }: LoadedHook): RunHook {
  if (withheld === undefined) return run;
  const explain = async (completion: Completion): Promise<Completion> => {
    if (completion.kind === 'detached') {
      const { follow } = completion;
      return { ...completion, follow: async (...given) => explain(await follow(...given)) };
    }
    if (completion.kind !== 'exited' || completion.exitCode === 0 || completion.exitCode === 2)
      return completion;
    const hint = withheldText(await withheld(), approval?.fingerprint);
    return hint === undefined ? completion : { ...completion, hint };
  };
  return async (circumstances) => explain(await run(circumstances));
}
