/** What `hookline run` prints: the answer, one result, or every message as a line of JSON. */
import { type LoopMessage, type ResultMessage, retryLine } from '../../agent/loop/messages.js';
import type { Printer } from '../printer.js';

export interface Output {
  message(message: LoopMessage): void;
  /** The final result of a prompt. */
  end(result: ResultMessage): void;
}

export function createOutput(
  format: 'text' | 'json' | 'stream-json',
  withHooks: boolean,
  printer: Printer,
): Output {
  if (format === 'stream-json') {
    return {
      message: (message) => {
        if (withHooks || !isHookMessage(message)) printer.record(message);
      },
      end: () => {},
    };
  }
  // A run that waits for its model would look as if it hung.
  const message = (each: LoopMessage): void => {
    if (each.type === 'system' && each.subtype === 'api_retry') printer.note(retryLine(each));
  };
  if (format === 'json') return { message, end: (result) => printer.record(result) };
  return {
    message,
    end: ({ result, errors = [] }) => {
      if (result !== '') printer.line(result);
      for (const error of errors) printer.note(error);
    },
  };
}

const isHookMessage = (message: LoopMessage): boolean =>
  message.type === 'system' && message.subtype.startsWith('hook_');
