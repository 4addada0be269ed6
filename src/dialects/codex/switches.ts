/** What turns hooks off in a `config.toml` of Codex: the feature, or the state that is stored of one hook. */
import { isObject } from '../host/answers.js';
import type { HookPlace, Host, Json, SwitchedOff } from '../host/host.js';

/** The name of the feature, and its old one. */
const FEATURES = ['hooks', 'codex_hooks'];

export const switchedOffByCodex: NonNullable<Host['switchedOff']> = ({ features, hooks }, { layer }) => {
  const isFeatureOff = isObject(features) && FEATURES.some((name) => features[name] === false);
  return [
    ...(isFeatureOff ? [{ key: 'features.hooks' }] : []),
    // In the file of a project it has no effect.
    ...(layer === 'user' && isObject(hooks) ? switchedOffIn(hooks['state']) : []),
  ];
};

function switchedOffIn(states: unknown): SwitchedOff[] {
  return Object.entries(isObject(states) ? states : {}).flatMap(([key, state]) => {
    const place = isOff(state) ? placeOf(key) : undefined;
    return place === undefined ? [] : [{ key: `hooks.state."${key}".enabled`, places: [place] }];
  });
}

const isOff = (state: unknown): boolean => isObject(state) && (state as Json)['enabled'] === false;

/** Codex writes the name of the event as `pre_tool_use`. */
function placeOf(key: string): HookPlace | undefined {
  const [, file, event = '', group, hook] = /^(.+):([a-z_]+):(\d+):(\d+)$/.exec(key) ?? [];
  if (file === undefined) return undefined;
  const name = event.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${file}:${name}:${Number(group)}:${Number(hook)}`;
}
