/** Names the variables that a hook of a workspace does not get although its line or its script speaks of them. */
import { resolve } from 'node:path';
import { isWithheld, loadsCode } from '../../handlers/command/environment.js';
import type { Completion } from '../../handlers/completion.js';
import type { RunHook } from '../../handlers/hook.js';
import type { LoadedHook } from '../loaded.js';
import { readScript, SHORT_FINGERPRINT, type TrustSubject, trustForm } from './index.js';

/** Never rejects. Variables that no approval can pass on are not named. */
export async function withheldFrom(subject: TrustSubject, { hook }: LoadedHook): Promise<readonly string[]> {
  if (typeof hook !== 'object' || hook.type !== 'command' || hook.environment !== 'scrub') return [];
  const passed = new Set([...Object.keys(hook.env ?? {}), ...(hook.allowedEnvVars ?? [])]);
  const withheld = Object.entries(process.env).flatMap(([name, value = '']) =>
    isWithheld(name, value) && !loadsCode(name) && !passed.has(name) ? [name] : [],
  );
  if (withheld.length === 0) return [];
  const scripts = await scriptsOf(subject);
  const words = new Set(
    [hook.command, ...(hook.args ?? []), ...scripts].flatMap((text) => text.match(/\w+/g) ?? []),
  );
  return withheld.filter((name) => words.has(name)).sort();
}

async function scriptsOf(subject: TrustSubject): Promise<string[]> {
  try {
    const { files } = await trustForm(subject);
    const texts = await Promise.all(files.map(({ path }) => readScript(resolve(subject.workspace, path))));
    return texts.filter((text) => text !== undefined);
  } catch {
    return [];
  }
}

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
