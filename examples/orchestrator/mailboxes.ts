/** The three mailboxes that the agents can talk through. What an address says is all that another process needs. */
import { createMailbox, type Mailbox } from 'hookline/injection';
import { openFileMailbox, openRedisMailbox } from './library.js';

export type Address =
  | { readonly over: 'memory' }
  | { readonly over: 'files'; readonly directory: string }
  | { readonly over: 'redis'; readonly url: string; readonly prefix: string };

export async function openMailbox(address: Address): Promise<Mailbox> {
  if (address.over === 'files') return openFileMailbox({ directory: address.directory });
  if (address.over === 'redis') return openRedisMailbox({ url: address.url, prefix: address.prefix });
  return createMailbox();
}

/** Waits for something to become true; what other processes do is not told in every mailbox, so it looks again. */
export async function until(isTrue: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  while (!(await isTrue())) {
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
