/** The lists of fires and hooks in a real browser: every control, and ten thousand fires. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command, rewrite } from '../../src/index.js';
import { createMailbox } from '../../src/injection/index.js';
import { bash } from '../support/runner.js';
import { type Browser, faintTexts, missingBrowser, PICTURES, startBrowser } from './browser.js';
import { eventsOf, makeLoop, makeRunner, openView } from './support.js';

let browser: Browser;

/** Two agents with a guard, a rewriting hook, one that fails, and one for another tool. */
async function watched() {
  const runner = makeRunner();
  const mailbox = createMailbox({ agents: ['ada', 'ben'] });
  const live = await openView({ title: 'Two agents', mailbox, examples: ['! ls'] });
  live.watch(runner);
  runner.on('PreToolUse', { name: 'guard', matcher: 'Bash' }, (input) =>
    String(input.tool_input['command']).includes('rm -rf')
      ? { decision: 'block', reason: 'no deleting' }
      : undefined,
  );
  runner.on('PreToolUse', { name: 'rewriter', matcher: 'Write' }, () =>
    rewrite({ file_path: 'notes.md', content: '# Notes\n\ntwo\nthree' }),
  );
  runner.on('PostToolUse', { name: 'lint' }, command('echo broken >&2; exit 1'));
  let calls = 0;
  const call = (agentId: string, tool_name: string, tool_input: object) =>
    runner.fire(
      'PreToolUse',
      { tool_name, tool_input: { ...tool_input }, tool_use_id: `call-${++calls}` },
      { agentId },
    );
  const work = async () => {
    await call('ada', 'Bash', { command: 'rm -rf build' });
    await call('ada', 'Bash', { command: 'ls' });
    await call('ben', 'Write', { file_path: 'notes.md', content: '# Notes\n\none\nthree' });
    await call('ben', 'Read', { file_path: 'notes.md' });
    await runner.fire(
      'PostToolUse',
      { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {}, tool_use_id: 'x' },
      { agentId: 'ada' },
    );
  };
  return { runner, live, work };
}

const rows = (page: Page) => page.locator('.fire-link');
const titles = (page: Page) => page.locator('.fire-link .what').allTextContents();
const details = (page: Page) => page.locator('#fire-details');

describe.skipIf(missingBrowser !== undefined)(
  `fires and hooks in Chromium${missingBrowser ? ` (${missingBrowser})` : ''}`,
  () => {
    beforeAll(async () => {
      browser = await startBrowser();
    }, 60_000);
    afterAll(() => browser?.close());

    it('LV-31 lists all fires, searches them, and filters by agent, event, hook, decision and failures', async () => {
      const { live, work } = await watched();
      await work();
      const { page, problems } = await browser.open(`${live.url}#fires`);
      await expect
        .poll(() => titles(page))
        .toEqual([
          'PostToolUse Bash',
          'PreToolUse Read',
          'PreToolUse Write',
          'PreToolUse Bash',
          'PreToolUse Bash',
        ]);
      await expect.poll(() => page.locator('#fire-count').textContent()).toBe('5');
      await expect.poll(() => rows(page).first().locator('time').textContent()).toMatch(/^\d\d:\d\d:\d\d$/);
      const count = () => page.locator('#shown-count').textContent();
      const clear = () => page.getByRole('button', { name: 'Clear' }).click();

      await page.getByLabel('Search fires').fill('NO DELETING');
      await expect.poll(count).toBe('1 of 5');
      await clear();
      await expect.poll(count).toBe('5');
      const choices = [
        ['Agent', 'ben', '2 of 5'],
        ['Event', 'PostToolUse', '1 of 5'],
        ['Hook', 'guard', '2 of 5'],
        ['Decision', 'deny', '1 of 5'],
        ['Decision', 'no hook ran', '1 of 5'],
        ['Decision', 'no decision', '3 of 5'],
      ] as const;
      for (const [label, option, expected] of choices) {
        await page.getByLabel(label, { exact: true }).selectOption({ label: option });
        await expect.poll(count).toBe(expected);
        await clear();
      }
      await page.getByLabel('failures').check();
      await expect.poll(() => titles(page)).toEqual(['PostToolUse Bash']);
      await page.getByLabel('Search fires').fill('nothing like it');
      await page.getByText('No fire matches these filters.').waitFor();
      await clear();
      await expect.poll(() => page.getByLabel('failures').isChecked()).toBe(false);
      expect(problems).toEqual([]);
    });

    it('LV-31 the name of an agent is whole beside the details of a fire, on a small laptop too', async () => {
      const { live, work } = await watched();
      const { page } = await browser.open(`${live.url}#fires`);
      await work();
      await rows(page).nth(4).waitFor();
      const cut = () =>
        page.evaluate<string[]>(
          `[...document.querySelectorAll('.fire-link .who')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)`,
        );
      for (const width of [1024, 1200, 1440, 1600]) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(cut, { message: `at ${width}` }).toEqual([]);
      }
    });

    it('LV-33 a link opens a fire, with its hooks, the difference and the hooks that do not run', async () => {
      const { live, work } = await watched();
      await work();
      const fire = eventsOf(live, 'fire')[2]?.fire;
      const { page, problems } = await browser.open(`${live.url}#fire-${fire}`);
      await details(page).getByRole('heading', { name: 'PreToolUse Write' }).waitFor();
      const diff = page.getByRole('table', { name: 'What hooks changed in tool_input' });
      await expect.poll(() => diff.locator('del').allTextContents()).toEqual(['  one']);
      await expect.poll(() => diff.locator('ins').allTextContents()).toEqual(['  two']);
      await expect
        .poll(() => details(page).locator('.left-out').innerText())
        .toMatch(/guard[\s\S]*its matcher is "Bash"/);
      await expect.poll(() => page.locator('.fire-link[aria-current]').innerText()).toContain('Write');
      const box = async (name: string) => (await diff.locator(name).boundingBox()) ?? { x: 0, y: 0 };
      expect((await box('del')).y).toBe((await box('ins')).y);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(() => faintTexts(page)).toEqual([]);
      await page.screenshot({ path: join(PICTURES, 'fires-dark.png') });
      await page.emulateMedia({ colorScheme: 'light' });
      await expect.poll(() => faintTexts(page)).toEqual([]);
      await page.screenshot({ path: join(PICTURES, 'fires-light.png') });

      await page.setViewportSize({ width: 360, height: 740 });
      await expect.poll(async () => (await box('ins')).y > (await box('del')).y).toBe(true);
      await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
      await page.getByRole('link', { name: 'All fires' }).click();
      await rows(page).first().waitFor();
      expect(await details(page).isVisible()).toBe(false);
      await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
      await page.goto(`${live.url}#fire-gone`);
      await details(page).getByText('This fire is not available here.').waitFor();
      expect(problems).toEqual([]);
    });

    it('LV-34 LV-35 fires again, copies a link, saves a hook test, and exports', async () => {
      const { live, work } = await watched();
      await work();
      const fire = eventsOf(live, 'fire')[0]?.fire;
      const { page, problems } = await browser.open(`${live.url}#fire-${fire}`);
      await page
        .context()
        .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(live.url).origin });
      const pasted = () => page.evaluate<string>('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Copy link' }).click();
      await expect.poll(pasted).toBe(`${live.watchUrl}#fire-${fire}`);

      await page.getByText('Save as hook test').click();
      await page.getByRole('button', { name: 'Copy test' }).click();
      await expect.poll(pasted).toMatch(/^tests:\n[\s\S]*decision: deny\n/);
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).toBe('hookline.test.yaml');
      expect(await readFile(await (await download).path(), 'utf8')).toBe(await pasted());

      await page.getByRole('button', { name: 'Fire again' }).click();
      await details(page).getByRole('link', { name: 'the first time' }).waitFor();
      await details(page).locator('.ran').getByText('deny').waitFor();
      await expect.poll(() => page.locator('#shown-count').textContent()).toBe('6');
      expect(eventsOf(live, 'fire').at(-1)?.again).toBe(fire);
      await details(page).getByRole('link', { name: 'the first time' }).click();
      await expect.poll(() => page.url()).toBe(`${live.watchUrl}#fire-${fire}`);

      const recording = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export' }).click();
      const lines = (await readFile(await (await recording).path(), 'utf8')).trim().split('\n');
      expect(lines.map((line) => JSON.parse(line).event)).toHaveLength(6);
      expect(problems).toEqual([]);
    });

    it('LV-32 lists the hooks with their runs, failures and times, and leads to their fires', async () => {
      const { live, work } = await watched();
      await work();
      await work();
      const { page } = await browser.open(`${live.url}#hooks`);
      const row = (name: string) => page.locator('#hook-rows tr', { hasText: name });
      const cell = (name: string, label: string) => row(name).locator(`td.${label}`).innerText();
      await expect.poll(() => cell('guard', 'runs')).toBe('4');
      await expect.poll(() => cell('guard', 'refusals')).toBe('2');
      await expect.poll(() => cell('guard', 'event')).toBe('PreToolUse Bash');
      await expect.poll(() => cell('lint', 'failures')).toBe('2');
      await expect.poll(() => cell('lint', 'p95')).toMatch(/ms|s$/);
      await row('lint')
        .getByRole('img', { name: /The last 2 times/ })
        .waitFor();
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(() => faintTexts(page)).toEqual([]);
      await page.screenshot({ path: join(PICTURES, 'hooks-dark.png') });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('link', { name: 'Fires of guard' }).click();
      await expect.poll(() => page.locator('#shown-count').textContent()).toBe('4 of 10');
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(`${live.url}#hooks`);
      await row('guard').waitFor();
      await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    });

    it('LV-36 has keys for what is done often, and none of them while someone types', async () => {
      const { live, work } = await watched();
      await work();
      const { page } = await browser.open(live.url);
      await page.locator('article.agent .hook').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('find');
      await page.keyboard.type('jk?');
      await expect.poll(() => page.getByLabel('Search fires').inputValue()).toBe('jk?');
      await page.getByLabel('Search fires').fill('');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate('document.activeElement.id')).not.toBe('find');
      const current = () => page.locator('.fire-link[aria-current] .what').innerText();
      await page.keyboard.press('j');
      await expect.poll(current).toBe('PostToolUse Bash');
      await page.keyboard.press('j');
      await expect.poll(current).toBe('PreToolUse Read');
      await page.keyboard.press('k');
      await expect.poll(current).toBe('PostToolUse Bash');
      await page.keyboard.press('3');
      await page.locator('#hooks-view').waitFor();
      await page.keyboard.press('1');
      await page.locator('#agents-view').waitFor();
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.keyboard.press('m');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('words');
      await page.getByRole('button', { name: 'Keys' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('link', { name: /^Fires/ }).click();
      await expect.poll(() => titles(page)).toHaveLength(5);
    });

    it('LV-31 what someone reads stays in its place while fires arrive; LV-38 the page shows what was used', async () => {
      const { runner, live } = await watched();
      const fire = async (from: number, to: number) => {
        for (let i = from; i < to; i += 1)
          await runner.fire('PreToolUse', { ...bash(), tool_input: { command: `step ${i}` } });
      };
      await fire(0, 200);
      const { page } = await browser.open(`${live.url}#fires`);
      await expect.poll(() => page.locator('#shown-count').textContent()).toBe('200');
      await page.evaluate(`document.getElementById('fire-scroller').scrollTop = 3000`);
      const row = page.locator('.fire-link', { hasText: /step 115/ });
      const top = async () => Math.round((await row.boundingBox())?.y ?? 0);
      await row.waitFor();
      const before = await top();
      await fire(200, 230);
      await expect.poll(() => page.locator('#shown-count').textContent()).toBe('230');
      await expect.poll(top).toBe(before);
      const { loop } = makeLoop([{ text: 'hi', usage: { inputTokens: 1200, outputTokens: 34 } }], {
        hooks: runner,
      });
      for await (const _ of live.follow(loop.run('hello')));
      await expect.poll(() => page.locator('#spent').innerText()).toBe('1,200 tokens in, 34 out');
    });

    it('LV-39 lists the fires of an earlier session', async () => {
      const { live, work } = await watched();
      await work();
      const file = join(await mkdtemp(join(tmpdir(), 'hookline-views-')), 'monday.jsonl');
      await writeFile(file, await (await fetch(new URL('fires.jsonl', live.url))).text());
      const { live: next } = await watched();
      await next.showRecording(file);
      await rm(dirname(file), { recursive: true });
      const { page, problems } = await browser.open(`${next.url}#fires`);
      await page.getByLabel('Decision').selectOption('deny');
      await expect
        .poll(() => rows(page).allTextContents())
        .toEqual([expect.stringContaining('monday.jsonl')]);
      await rows(page).first().click();
      await details(page).locator('.said').getByText('no deleting').waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Fire again' }).isEnabled()).toBe(true);
      expect(problems).toEqual([]);
    });

    it('LV-37 shows the loaded hooks and a prompt to try until something happens', async () => {
      const { live, work } = await watched();
      const { page } = await browser.open(live.url);
      const welcome = page.locator('#welcome');
      await welcome.getByText('3 hooks are loaded.').waitFor();
      await expect.poll(() => welcome.locator('#loaded').innerText()).toContain('PreToolUse Bash guard');
      await page.screenshot({ path: join(PICTURES, 'welcome-light.png') });
      await welcome.getByRole('button', { name: '! ls' }).click();
      await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('! ls');
      await work();
      await welcome.waitFor({ state: 'hidden' });
    });

    it('LV-31 stays usable with ten thousand fires: few elements, and all of them found', async () => {
      const { runner, live } = await watched();
      for (let i = 0; i < 10_000; i += 1)
        await runner.fire('PreToolUse', {
          ...bash(),
          tool_input: { command: `step ${i}` },
          tool_use_id: `call-${i}`,
        });
      const { page, problems } = await browser.open(`${live.url}#fires`);
      await expect.poll(() => page.locator('#shown-count').textContent(), { timeout: 30_000 }).toBe('10000');
      const elements = () => page.evaluate<number>('document.querySelectorAll("*").length');
      await expect.poll(elements).toBeLessThan(8000);
      expect(await rows(page).count()).toBeLessThan(80);
      await page.evaluate(`document.getElementById('fire-scroller').scrollTop = 1e9`);
      await expect.poll(() => page.locator('.fire-link .given').last().innerText()).toBe('step 0');
      expect(await rows(page).count()).toBeLessThan(80);
      await page.getByLabel('Search fires').fill('step 1234');
      await expect.poll(() => page.locator('#shown-count').textContent()).toBe('1 of 10000');
      await page.screenshot({ path: join(PICTURES, 'many.png') });
      await page.keyboard.press('Escape');
      await page.keyboard.press('1');
      await page.getByRole('link', { name: 'Older entries are not shown here.' }).waitFor();
      expect(problems).toEqual([]);
    }, 60_000);
  },
);
