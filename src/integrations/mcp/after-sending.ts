/** Detects when a transport has sent the response to a request, or that it never will. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { onAbort } from '../../base/async/abortable.js';
import { fieldOf } from '../tool-content.js';

type Done = (sent: boolean) => void;

const watched = new WeakMap<Transport, Map<RequestId, Done[]>>();

/**
 * Calls `done` once: with true when `send` has resolved for the result; with false when it rejected, when an error was
 * sent instead, or when the request was cancelled or its connection closed before. What "sent" means depends on the
 * transport: for stdio the text is in the pipe, for HTTP in the response stream. It does not mean that the client has
 * read it.
 */
export function afterSending(
  transport: Transport | undefined,
  requestId: RequestId,
  signal: AbortSignal,
  done: Done,
): void {
  if (transport === undefined || signal.aborted) {
    done(false);
    return;
  }
  let isOver = false;
  const finish = (sent: boolean): void => {
    if (isOver) return;
    isOver = true;
    stop();
    done(sent);
  };
  const stop = onAbort(signal, () => finish(false));
  const waiting = watch(transport);
  waiting.set(requestId, [...(waiting.get(requestId) ?? []), finish]);
}

/** Wraps the transport's `send` once; its behaviour does not change. */
function watch(transport: Transport): Map<RequestId, Done[]> {
  const known = watched.get(transport);
  if (known !== undefined) return known;
  const waiting = new Map<RequestId, Done[]>();
  const sendings = new Set<Done>();
  watched.set(transport, waiting);
  // Old versions of the SDK do not abort the signal of a request when its connection closes.
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.call(transport);
    for (const done of [...[...waiting.values()].flat(), ...sendings]) done(false);
    waiting.clear();
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sending = send(message, options);
    const id = fieldOf(message, 'id') as RequestId;
    const isResult = 'result' in message;
    if (!isResult && !('error' in message)) return sending;
    const callbacks = waiting.get(id) ?? [];
    waiting.delete(id);
    const finish = (sent: boolean): void => {
      sendings.delete(finish);
      for (const done of callbacks) done(sent);
    };
    if (callbacks.length === 0) return sending;
    sendings.add(finish);
    sending.then(
      () => finish(isResult),
      () => finish(false),
    );
    return sending;
  };
  return waiting;
}
