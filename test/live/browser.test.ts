/** The page in a real browser. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command, type Runner } from '../../src/index.js';
import { createHumanInput, createMailbox } from '../../src/injection/index.js';
import type { LiveView } from '../../src/live/index.js';
import { type Browser, faintTexts, missingBrowser, PICTURES, startBrowser } from './browser.js';
import { look, looks, makeGate, makeLoop, makeRunner, openView } from './support.js';

let browser: Browser;

/** Three agents, of whom one is held up behind its tool until the gate opens. */
async function castle() {
  const runner = makeRunner();
  const mailbox = createMailbox({ agents: ['ada', 'ben', 'cleo'] });
  const human = createHumanInput({ mailbox, label: 'Eva' });
  const live = await openView({ mailbox, human, title: 'Three agents' });
  live.watch(runner);
  const gate = makeGate();
  addHooks(runner, gate.opened);
  await human.say({ content: 'Metres, please.', to: 'ada' });
  await work(live, { hooks: runner, mailbox, agentId: 'ada' }, [
    looks('the bridge', 'The bridge first.'),
    { text: '42 m.' },
  ]);
  await work(live, { hooks: runner, mailbox, agentId: 'ben' }, [
    looks('the cellar'),
    { text: 'It is closed.' },
  ]);
  const script = [looks('the garden', 'The garden, then.'), { text: 'The garden is 42 m wide.' }];
  const { loop, model } = makeLoop(script, { hooks: runner, mailbox, agentId: 'cleo' });
  const rest = drain(live, loop.run('How wide is the garden?'));
  return { live, mailbox, gate, model, rest };
}

function addHooks(runner: Runner, opened: Promise<void>): void {
  runner.on('PreToolUse', { name: 'closed-rooms' }, (input) =>
    (input.tool_input as { at: string }).at.includes('cellar')
      ? { decision: 'block', reason: 'the cellar is closed' }
      : { decision: 'approve' },
  );
  runner.on('PostToolUse', { name: 'second-look' }, async (input, _id, { progress }) => {
    progress('looking again\n');
    if ((input.tool_input as { at: string }).at.includes('garden')) await opened;
  });
  runner.on('PostToolUse', { name: 'lint' }, command('echo one thing is wrong >&2; exit 1'));
}

async function drain(live: LiveView, run: Parameters<LiveView['follow']>[0]): Promise<void> {
  for await (const _ of live.follow(run));
}

async function work(
  live: LiveView,
  options: Parameters<typeof makeLoop>[1],
  script: Parameters<typeof makeLoop>[0],
) {
  await drain(
    live,
    makeLoop(script, { ...options, tools: [look] }).loop.run(`What can ${options?.agentId} see?`),
  );
}

describe.skipIf(missingBrowser !== undefined)(
  `the page in Chromium${missingBrowser ? ` (${missingBrowser})` : ''}`,
  () => {
    beforeAll(async () => {
      browser = await startBrowser();
    }, 60_000);
    afterAll(() => browser?.close());

    it('LV-18 LV-19 shows agents at work, and what a person types is seen queued, then delivered to the model', async () => {
      const { live, gate, model, rest } = await castle();
      const { page, problems } = await browser.open(live.url);
      await expect.poll(() => page.title()).toBe('Three agents');
      const agent = (name: string) => page.locator(`article[data-agent="${name}"]`);

      await expect
        .poll(() => page.locator('article.agent h2').allTextContents())
        .toEqual(['ada', 'ben', 'cleo']);

      // Ada: told something, a call with its hooks, an answer, the end of the turn.
      await agent('ada').getByText('What can ada see?').waitFor();
      await agent('ada').locator('.arrival').getByText('Metres, please.').waitFor();
      await agent('ada').getByText('The bridge first.').waitFor();
      const call = agent('ada').locator('.tool');
      await expect
        .poll(() => call.locator('.hook .name').allTextContents())
        .toEqual(['closed-rooms', 'second-look', 'lint']);
      await expect
        .poll(() => call.locator('.hook[data-state="error"]').innerText())
        .toMatch(/lint[\s\S]*error, exit 1[\s\S]*one thing is wrong/);
      await expect
        .poll(() => agent('ada').locator('.turn header').last().innerText())
        .toMatch(/Turn 1[\s\S]*completed/);

      // Ben: refused, with the reason.
      await agent('ben').getByText('refused by hook').waitFor();
      await agent('ben').locator('.reason').getByText('the cellar is closed', { exact: true }).waitFor();

      // Cleo: a hook that runs, with what it says and a clock that moves.
      const running = agent('cleo').locator('.hook[data-state="running"]');
      await running.getByText('looking again').waitFor();
      const clock = running.locator('.time');
      const before = await clock.innerText();
      await expect.poll(() => clock.innerText()).not.toBe(before);

      // With the keyboard alone: choose cleo, type, send.
      await page.getByLabel('To').focus();
      await page.keyboard.type('cleo');
      await page.keyboard.press('Tab');
      await page.keyboard.type('The pond too.');
      await page.keyboard.press('Enter');
      await page.locator('#said').getByText('Queued: cleo.').waitFor();
      const item = page.locator('.item', { hasText: 'The pond too.' });
      await item.getByText('queued').waitFor();
      await expect.poll(() => page.locator('#waiting').innerText()).toBe('1 waiting');
      await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('');
      await page.screenshot({ path: join(PICTURES, 'light.png') });

      gate.open();
      await rest;
      await item.getByText('delivered').waitFor();
      await page.locator('#said').getByText('Delivered: cleo.').waitFor();
      await agent('cleo').locator('.arrival').getByText('The pond too.').waitFor();
      expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('The pond too.');
      await expect.poll(() => agent('cleo').locator('.hook[data-state="running"]').count()).toBe(0);
      await live.close();
      await page.getByText('ended').waitFor();
      expect(problems).toEqual([]);
    });

    it('LV-18 a page that is opened again shows the same', async () => {
      const { live, gate, rest } = await castle();
      gate.open();
      await rest;
      const { page } = await browser.open(live.url);
      const ended = page.locator('article[data-agent="cleo"] .turn header').getByText('completed');
      await ended.waitFor();
      const shown = await page.locator('#agents-view').innerText();
      expect(shown).toContain('The garden is 42 m wide.');
      await page.reload();
      await ended.waitFor();
      await expect.poll(() => page.locator('#agents-view').innerText()).toBe(shown);
    });

    it('LV-18 a guard that refuses by its exit code looks like one that returns its refusal, and not like an error', async () => {
      const runner = makeRunner();
      const live = await openView();
      live.watch(runner);
      runner.on('PreToolUse', { name: 'by-code' }, command('echo "no demolition" >&2; exit 2'));
      runner.on('PreToolUse', { name: 'by-answer' }, () => ({ decision: 'block', reason: 'no demolition' }));
      runner.on('PreToolUse', { name: 'fails', onFailure: 'block' }, command('echo oops >&2; exit 3'));
      await runner.fire('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 'u' });
      const { page } = await browser.open(live.url);
      const hook = (name: string) => page.locator('.hook', { hasText: name });
      for (const name of ['by-code', 'by-answer']) {
        await hook(name).locator('.chip').getByText('deny').waitFor();
        await expect.poll(() => hook(name).getAttribute('data-state')).toBe('refused');
        await hook(name).locator('.reason').getByText('no demolition', { exact: true }).waitFor();
        expect(await hook(name).innerText()).not.toMatch(/error|exit/);
        expect(await hook(name).locator('.output').isHidden()).toBe(true);
      }
      await hook('fails').getByText('error, exit 3').waitFor();
      await expect.poll(() => hook('fails').locator('.reason').innerText()).toContain('set to block');
    });

    it('LV-18 an agent stays at its end while it works, until somebody scrolls up', async () => {
      const runner = makeRunner();
      const live = await openView();
      live.watch(runner);
      const { page } = await browser.open(live.url);
      const fire = async (times: number) => {
        for (let i = 0; i < times; i += 1) await runner.fire('Stop', { stop_hook_active: false });
      };
      runner.on('Stop', { name: 'guard' }, () => undefined);
      const fromEnd = () =>
        page.evaluate<number>(
          `(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight))(document.querySelector('.scroller'))`,
        );
      await fire(30);
      await page.locator('.hook').nth(29).waitFor();
      await expect.poll(fromEnd).toBe(0);
      const answer = live.canUseTool('main')(
        'Bash',
        { command: 'ls' },
        { signal: new AbortController().signal, toolUseID: 'x' },
      );
      await page.getByRole('button', { name: 'Refuse' }).click();
      await answer;
      await fire(10);
      await page.locator('.hook').nth(39).waitFor();
      await expect.poll(fromEnd).toBe(0);
      await page.locator('.scroller').hover();
      await page.mouse.wheel(0, -400);
      await expect.poll(fromEnd).toBeGreaterThan(300);
      await fire(10);
      await page.locator('.hook').nth(49).waitFor();
      expect(await fromEnd()).toBeGreaterThan(300);
    });

    it('LV-2 a wrong token opens nothing in a browser either', async () => {
      const { live, gate, rest } = await castle();
      gate.open();
      await rest;
      const wrong = new URL(live.url);
      wrong.pathname = `/${'x'.repeat(32)}/`;
      const { page } = await browser.open(wrong.href);
      expect(await page.content()).not.toContain('ada');
      await expect.poll(() => page.locator('body').innerText()).toContain('There is nothing here.');
    });

    it('LV-20 is readable in light and dark, fits a phone, and stands still for those who want it', async () => {
      const { live, gate, rest } = await castle();
      const { page } = await browser.open(live.url);
      await page.locator('.hook[data-state="running"]').waitFor();
      const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      await expect.poll(() => faintTexts(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(ground).not.toBe(light);
      await expect.poll(() => faintTexts(page)).toEqual([]);
      await page.screenshot({ path: join(PICTURES, 'dark.png') });

      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByText('Injections').click();
      await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
      const tooWide = await page.evaluate<string[]>(
        `[...document.querySelectorAll('body *')].filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > 361).map((each) => each.className || each.tagName)`,
      );
      expect(tooWide).toEqual([]);
      await page.screenshot({ path: join(PICTURES, 'phone-dark.png') });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.screenshot({ path: join(PICTURES, 'phone-light.png'), fullPage: true });

      const motion = () =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('[data-state="running"] .dot')).animationName`,
        );
      await expect.poll(motion).not.toBe('none');
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await expect.poll(motion).toBe('none');
      gate.open();
      await rest;
    });

    it('LV-20 everything that can be used has a name and is reached with the keyboard', async () => {
      const { live, gate, rest } = await castle();
      const answer = live.canUseTool('ben')(
        'Bash',
        { command: 'ls' },
        { signal: new AbortController().signal, toolUseID: 'x' },
      );
      const { page } = await browser.open(live.url);
      await page.locator('.hook[data-state="running"]').waitFor();
      await page.getByRole('group', { name: 'ben wants to use Bash' }).waitFor();
      const reached: string[] = [];
      for (let i = 0; i < 60; i += 1) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate<string>(
          `(() => { const it = document.activeElement; return it === document.body ? '' : it.getAttribute('aria-label') || it.labels?.[0]?.textContent || it.textContent.trim(); })()`,
        );
        if (name === '' || reached[0] === name) break;
        reached.push(name);
      }
      expect(reached).not.toContain('');
      for (const name of ['Skip to the message box', 'Refuse', 'What ada does', 'To', 'Message', 'Send'])
        expect(reached).toContain(name);
      await page
        .getByRole('group', { name: 'ben wants to use Bash' })
        .getByRole('button', { name: 'Refuse' })
        .focus();
      await page.keyboard.press('Enter');
      expect(await answer).toMatchObject({ behavior: 'deny' });
      await page.getByRole('group', { name: 'ben wants to use Bash' }).waitFor({ state: 'detached' });
      await page.getByLabel('Message').fill('one\ntwo');
      await page.getByLabel('Message').press('Shift+Enter');
      await expect.poll(() => page.getByLabel('Message').inputValue()).toContain('\n');
      expect(await page.locator('#announce').getAttribute('aria-live')).toBe('polite');
      gate.open();
      await rest;
      await expect.poll(() => page.locator('#announce').textContent()).not.toBe('');
    });

    it('LV-21 shows what others write as text, never as markup', async () => {
      const bad = '<img src=x onerror="window.hit=1"><script>window.hit=1</script><b>bold</b>';
      const runner = makeRunner();
      const mailbox = createMailbox({ agents: [bad] });
      const live = await openView({ mailbox, title: bad });
      live.watch(runner);
      runner.on('PreToolUse', { name: bad }, (_input, _id, { progress }) => {
        progress(bad);
        return { decision: 'block', reason: bad };
      });
      runner.on('Stop', { name: 'says' }, () => ({ systemMessage: bad }));
      await mailbox.put({ content: bad, to: bad, source: { kind: '<b>who</b>', label: bad } });
      const ask = live.canUseTool(bad)(
        bad,
        { [bad]: bad },
        { signal: new AbortController().signal, toolUseID: 'x', decisionReason: bad },
      );
      await drain(
        live,
        makeLoop([looks(bad, bad), { text: bad }], { hooks: runner, mailbox, agentId: bad }).loop.run(bad),
      );
      const { page, problems } = await browser.open(live.url);
      await page.locator('.entry.text').last().waitFor();
      await page.locator('.question').waitFor();
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
      expect(await page.evaluate('window.hit')).toBeUndefined();
      await expect.poll(() => page.locator('.entry.text').last().textContent()).toBe(bad);
      await page.keyboard.press('2');
      await page.locator('.fire-link', { hasText: '<img' }).first().click();
      await page.locator('#as-test').waitFor();
      await page.keyboard.press('3');
      await expect.poll(() => page.locator('#hook-rows').innerText()).toContain('<img');
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
      expect(await page.evaluate('window.hit')).toBeUndefined();
      expect(problems).toEqual([]);
      await live.close();
      expect(await ask).toMatchObject({ behavior: 'deny' });
    });
  },
);
