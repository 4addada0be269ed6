/** Runs behaviours in the hosts of one driver, in a process of its own. Prints one line of JSON for each. */
import { readFileSync } from 'node:fs';
import { behaviours, runBehaviour } from './behaviours.js';
import type { Extras, Host } from './host.js';

/** A run that hangs is a failure of its behaviour. */
const LIMIT_MS = 20_000;

async function limited(running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  await Promise.race([running, late]).finally(() => clearTimeout(timer));
}

interface Driver {
  readonly hosts: readonly Host[];
  readonly extras?: Extras;
}

/** `only`: behaviours and `extras`; everything if it is empty. */
export async function runHosts({ hosts, extras = {} }: Driver, only: readonly string[]): Promise<void> {
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  for (const host of hosts) {
    const manifest = new URL(`node_modules/${host.package}/package.json`, import.meta.url);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    for (const behaviour of behaviours) {
      if (!isWanted(behaviour.id)) continue;
      const error = await limited(runBehaviour(host, behaviour)).then(
        () => undefined,
        (thrown: Error) => thrown.stack ?? String(thrown),
      );
      const { title, cannot } = host;
      console.log(
        JSON.stringify({
          host: title,
          version,
          behaviour: behaviour.id,
          cannot: cannot[behaviour.id],
          error,
        }),
      );
    }
  }
  for (const [title, run] of Object.entries(extras)) {
    if (!isWanted('extras')) continue;
    const error = await limited(run()).then(
      () => undefined,
      (thrown: Error) => thrown.stack ?? String(thrown),
    );
    console.log(JSON.stringify({ extra: title, error }));
  }
}
