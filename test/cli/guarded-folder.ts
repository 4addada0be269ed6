/** A folder whose guard was approved, and what its hooks decide when it is gone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bridge, callOf, host, readBy } from '../hosts/support.js';
import { type CallOptions, type Folder, folder } from './support.js';

const gemini = host('gemini');

export const GUARD = `hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - { type: command, command: ./guard.sh }
`;

export async function guarded(): Promise<Folder> {
  const where = folder();
  where.write('guard.sh', '#!/bin/sh\ncat > /dev/null\necho guarded >&2\nexit 2\n');
  where.write('hookline.yaml', GUARD);
  await where.call(['trust', 'approve', '--yes']);
  return where;
}

export const gone = ({ workspace }: Folder): void => rmSync(join(workspace, 'hookline.yaml'));

export async function fire({ call }: Folder, tool = 'Bash', cwd?: string): Promise<string | undefined> {
  const options = cwd === undefined ? {} : { cwd };
  const args = ['fire', 'PreToolUse', '--json', '--set', `tool_name=${tool}`];
  return (await call(args, options)).json<{ reason?: string }>().reason;
}

export async function bridged({ call }: Folder, options: CallOptions = {}): Promise<string | undefined> {
  const done = await call(bridge(gemini), { stdin: callOf(gemini, 'Bash'), ...options });
  return readBy(gemini, { stdout: done.out, stderr: done.err, exit: done.code }).refuse;
}

export async function fingerprints({ call }: Folder, file: string): Promise<string[]> {
  const shown = (await call(['trust', '--json'])).json<
    { fingerprint: string; source: { file: string }; status: string }[]
  >();
  return shown
    .filter(({ source, status }) => source.file.endsWith(file) && status !== 'trusted')
    .map(({ fingerprint }) => fingerprint);
}
