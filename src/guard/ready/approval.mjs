// Asks a person through a web hook before chosen calls run, and waits for the answer. Without one it refuses.
// APPROVAL_WEBHOOK_URL gets a POST with `text`, as Slack expects it, and an `id`. APPROVAL_POLL_URL?id=… is asked until it
// returns {"id": …, "decision": "allow"} or "deny". This file is yours: change what needs approval.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { allow, deny, guard, matchRules, shellLineOf } from 'hookline/guard';

/** Permission rules: calls that match one of them need approval. */
const NEEDS_APPROVAL = [
  ...['Bash(npm publish *)', 'Bash(terraform apply *)', 'Bash(kubectl apply *)', 'Bash(gh pr merge *)'],
  ...['Edit(.github/workflows/**)', 'mcp__deploy__*'],
];
/** Unless APPROVAL_SECONDS says otherwise. Keep it below the timeout in hookline.yaml. */
const SECONDS = 300;
const POLL_MS = 2000;
const MAX_TEXT = 1500;

await guard(async (input) => {
  const match = matchRules(NEEDS_APPROVAL, input);
  if (match === undefined || (!match.certain && !mentions(shellLineOf(input) ?? ''))) return undefined;
  const { APPROVAL_WEBHOOK_URL: hook, APPROVAL_POLL_URL: poll, APPROVAL_SECONDS = SECONDS } = process.env;
  if (!hook || !poll)
    return deny('This needs approval, but APPROVAL_WEBHOOK_URL and APPROVAL_POLL_URL are not set.');
  const id = randomUUID();
  const signal = AbortSignal.timeout(Number(APPROVAL_SECONDS) * 1000);
  const what = JSON.stringify(input.tool_input).slice(0, MAX_TEXT);
  const text = `An agent asks for approval (${id}): ${input.tool_name} ${what} in ${input.cwd}`;
  const posted = await fetch(hook, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      text,
      id,
      tool_name: input.tool_name,
      tool_input: input.tool_input,
      cwd: input.cwd,
    }),
    signal,
  });
  if (!posted.ok) return deny(`This needs approval, but the web hook answered with ${posted.status}.`);
  const answer = await answerTo(id, poll, signal);
  if (answer?.decision === 'allow') return allow(answer.reason ?? 'A person has approved this.');
  return deny(
    answer?.reason ?? (answer ? 'A person has refused this.' : 'Nobody has approved this in time.'),
  );
});

/** Whether a line that cannot be read completely speaks of something that needs approval. */
function mentions(line) {
  const words = NEEDS_APPROVAL.map((rule) => rule.match(/\w{5,}/g)?.at(-1) ?? rule);
  return words.some((word) => line.includes(word));
}

/** Undefined if there is none before the deadline. */
async function answerTo(id, poll, signal) {
  const url = new URL(poll);
  url.searchParams.set('id', id);
  while (!signal.aborted) {
    try {
      const response = await fetch(url, { signal });
      const answer = response.status === 200 ? await response.json() : undefined;
      if (answer?.id === id && /^(allow|deny)$/.test(answer.decision)) return answer;
      await sleep(POLL_MS, undefined, { signal });
    } catch {
      // The server may be restarting; the deadline ends this.
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
