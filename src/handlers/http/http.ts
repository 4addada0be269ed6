/** The hook that is a web address: the input goes there as a POST, the answer is read like a command's stdout. */
import { beginning } from '../../base/json/read-json.js';
import { callOutside } from '../call-outside.js';
import type { Completion } from '../completion.js';
import type { RunHook } from '../hook.js';
import { fillHeaders, type Variables } from './headers.js';
import type { HttpOptions } from './options.js';
import { isGood, type PostEnd, post } from './request.js';
import { isAllowedUrl } from './urls.js';

type Answered = Extract<PostEnd, { kind: 'answered' }>;

const MAX_ANSWER = 1024 * 1024;

export interface HttpRuntime {
  /** Where the variables in headers come from. Default: the process's own, looked up at each run. */
  readonly env?: Variables | undefined;
}

/** `options` have been through `checkHttpOptions`. */
export function httpHook(options: HttpOptions, runtime: HttpRuntime = {}): RunHook {
  const url = new URL(options.url);
  if (!isAllowedUrl(url, options.allowedUrls)) {
    const message = `${url.origin} is not among the addresses that http hooks may be sent to`;
    return () => ({ kind: 'failed-to-start', message });
  }
  return (run) =>
    callOutside(run, async (signal): Promise<Completion> => {
      const { headers, notes, unusable } = fillHeaders(options, runtime.env ?? process.env);
      if (unusable !== undefined) {
        const message = `the value of header ${unusable} holds characters that a header cannot carry`;
        return { kind: 'failed-to-start', message };
      }
      const end = await post({ url, headers, body: run.wire(), limit: MAX_ANSWER, signal });
      return toCompletion(end, url, notes);
    });
}

/** An address may hold a secret in its path, so messages show no more of it than where it leads. */
function toCompletion(end: PostEnd, { origin }: URL, notes: readonly string[]): Completion {
  switch (end.kind) {
    case 'answered':
      return readAnswered(end, notes);
    case 'cut':
      return failed([`HTTP ${end.status}: the answer of ${origin} broke off: ${end.why}`, ...notes]);
    case 'too-much':
      return { kind: 'too-much-output', message: end.why };
    case 'unreachable':
      return { kind: 'failed-to-start', message: `${origin} could not be asked: ${end.why}` };
  }
}

function readAnswered({ status, title, type, body }: Answered, notes: readonly string[]): Completion {
  if (!isGood(status)) return failed([describeStatus(status, title, body), ...notes]);
  if (isPage(type, body))
    return failed([`HTTP ${status}: a web page instead of an answer: ${beginning(body.trim())}`, ...notes]);
  const stderr = notes.join('\n');
  return { kind: 'exited', exitCode: 0, signal: undefined, stdout: body, stderr, answers: true };
}

/** What proxies and logins send in place of the server that was meant. */
function isPage(type: string, body: string): boolean {
  const text = body.trimStart();
  if (text === '' || text.startsWith('{')) return false;
  return /\bx?html\b/i.test(type) || /^<(?:!doctype|html|head|body|\?xml)\b/i.test(text);
}

function failed(lines: readonly string[]): Completion {
  return { kind: 'exited', exitCode: 1, signal: undefined, stdout: '', stderr: lines.join('\n') };
}

function describeStatus(status: number, title: string, body: string): string {
  const what = `HTTP ${status}${title === '' ? '' : ` ${title}`}`;
  if (status >= 300 && status < 400) return `${what}: redirects are not followed, give the final address`;
  return body.trim() === '' ? what : `${what}: ${beginning(body.trim())}`;
}
