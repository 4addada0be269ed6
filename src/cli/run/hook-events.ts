/** Shows the hook messages that no run delivers: of hooks in the background, and at the start and end of a session. */
import type { HookMessage } from '../../runner/messages/hook-messages.js';
import type { Runner } from '../../runner/runner.js';
import type { Output } from './output.js';

export interface HookEvents {
  /** The output with every hook message exactly once. */
  readonly output: Output;
  /** Within it, a run delivers messages, in their order; what it leaves follows. */
  during<T>(run: () => Promise<T>): Promise<T>;
}

export function followHookEvents(runner: Pick<Runner, 'messages'>, output: Output): HookEvents {
  const waiting = new Map<string, HookMessage>();
  let isRunning = false;
  runner.messages.on('message', (message) => {
    if (isRunning) waiting.set(message.uuid, message);
    else output.message(message);
  });
  return {
    output: {
      message: (message) => {
        waiting.delete(message.uuid);
        output.message(message);
      },
      end: (result) => output.end(result),
    },
    during: async (run) => {
      isRunning = true;
      try {
        return await run();
      } finally {
        isRunning = false;
        for (const message of waiting.values()) output.message(message);
        waiting.clear();
      }
    },
  };
}
