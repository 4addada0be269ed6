/** The default directory for transcripts. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** `$HOOKLINE_HOME`, else `$XDG_STATE_HOME/hookline`, else `~/.local/state/hookline`. */
export function defaultTranscripts(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const own = env['HOOKLINE_HOME'];
  if (own && isAbsolute(own)) return own;
  const state = env['XDG_STATE_HOME'];
  return join(state && isAbsolute(state) ? state : join(homedir(), '.local', 'state'), 'hookline');
}
