/** Says which variables a hook of a workspace did not get, where it fails without them. */
import type { Completion } from '../handlers/completion.js';
import type { RunHook } from '../handlers/hook.js';
import { type LoadedHook, SHORT_FINGERPRINT } from './loaded.js';

/** What to say of it; undefined where nothing is withheld. */
export function withheldText(names: readonly string[], fingerprint: string | undefined): string | undefined {
  if (names.length === 0) return undefined;
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const which = fingerprint === undefined ? '' : ` ${fingerprint.slice(0, SHORT_FINGERPRINT)}`;
  return `${names.join(', ')} ${are} set but withheld from this hook; hookline trust approve${which} --env ${names.join(',')} passes ${them} on`;
}

/** A hook that fails says which variables it speaks of and did not get. */
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
