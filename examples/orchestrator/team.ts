/** Starts agents: each in a process of its own, or all in this one, where the mailbox is in memory. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Mailbox } from 'hookline/injection';
import { type AgentSetup, runAgent } from './agent.js';
import type { Address } from './mailboxes.js';

export interface RunningAgent {
  /** SIGKILL: no goodbye, nothing tidied up. In this process, the nearest there is to it. */
  kill(): void;
  /** Rejects when it failed. */
  readonly ended: Promise<'done' | 'killed'>;
}

export function startAgent(setup: AgentSetup, address: Address, mailbox: Mailbox): RunningAgent {
  return address.over === 'memory' ? startHere(setup, mailbox) : startProcess(setup, address);
}

function startProcess(setup: AgentSetup, address: Address): RunningAgent {
  const program = fileURLToPath(new URL('./agent-main.ts', import.meta.url));
  const child = fork(program, [JSON.stringify({ ...setup, address })], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<'done' | 'killed'>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve('done');
      else if (signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`${setup.agentId} ended with ${code ?? signal}`));
    });
  });
  return { ended, kill: () => void child.kill('SIGKILL') };
}

function startHere(setup: AgentSetup, mailbox: Mailbox): RunningAgent {
  const controller = new AbortController();
  const ended = runAgent(setup, mailbox, controller.signal).then(() =>
    controller.signal.aborted ? 'killed' : 'done',
  );
  return { ended, kill: () => controller.abort(new Error('killed')) };
}
