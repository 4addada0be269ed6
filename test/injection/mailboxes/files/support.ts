/** What the tests of the file mailbox share: directories that go away, a clock that the test moves, owners that are dead. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openMailboxAs } from '../../../../src/injection/mailboxes/files/file-mailbox.js';
import { agentFolder } from '../../../../src/injection/mailboxes/files/file-names.js';
import type { FileMailbox, FileMailboxOptions } from '../../../../src/injection/mailboxes/files/options.js';
import type { InjectionChange, InjectionItem } from '../../../../src/injection/port.js';
import { currentOwner, type Owner } from '../../../../src/process/owner.js';
import { FAST_FOLDER } from '../../../support/fast-folder.js';
import { type TestClock, testClock } from '../../support.js';

export interface FileBench {
  readonly directory: string;
  readonly mailbox: FileMailbox;
  readonly clock: TestClock;
  readonly changes: InjectionChange[];
  readonly problems: string[];
  /** The changes as words: `a x queued`. */
  told(): string[];
  /** Another user of the same directory: this process again, or one that is dead. */
  open(options?: Partial<FileMailboxOptions>, owner?: Owner): Promise<FileMailbox>;
}

/** A directory that does not exist yet, in one that goes away after the test. */
export function newDirectory(): string {
  const base = mkdtempSync(join(FAST_FOLDER, 'hookline-files-'));
  chmodSync(base, 0o700);
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return join(base, 'mailbox');
}

export async function makeFileMailbox(options: Partial<FileMailboxOptions> = {}): Promise<FileBench> {
  const directory = newDirectory();
  const clock = testClock();
  const changes: InjectionChange[] = [];
  const problems: string[] = [];
  const opened: FileMailbox[] = [];
  onTestFinished(async () => {
    for (const each of opened) await each.close();
  });
  const open: FileBench['open'] = async (more = {}, owner) => {
    const onProblem = ({ message }: Error): void => void problems.push(message);
    const all = { directory, now: clock, pollMs: 3_600_000, onProblem, ...options, ...more };
    const mailbox = await openMailboxAs(all, owner ?? currentOwner());
    opened.push(mailbox);
    return mailbox;
  };
  const mailbox = await open();
  mailbox.onChange((change) => changes.push(change));
  return {
    directory,
    mailbox,
    clock,
    changes,
    problems,
    told: () => changes.map(({ agentId, id, state }) => `${agentId} ${id} ${state}`),
    open,
  };
}

let deaths = 0;

/** A process of this machine that has ended; each time another one. */
export async function deadOwner(): Promise<Owner> {
  const { pid } = spawnSync('/bin/sh', ['-c', ':']);
  deaths += 1;
  return { ...currentOwner(), pid: pid ?? 0, start: String(deaths) };
}

export const ids = (items: readonly InjectionItem[]): string[] => items.map(({ id }) => id);

/** Where an agent's files are. */
export function boxOf(directory: string, agentId: string, folder = ''): string {
  return join(directory, 'agents', agentFolder(agentId), folder);
}

/** The files of a folder, without those that begin with a dot. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('.'));
}

/** Every file and folder below, links not followed. */
export function everythingIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true }).map(String);
}

/** Takes everything that waits for an agent, and acknowledges it. */
export async function drain(mailbox: FileMailbox, agentId: string): Promise<string[]> {
  const lease = await mailbox.take({ agentId });
  await lease.acknowledge();
  return ids(lease.items);
}
