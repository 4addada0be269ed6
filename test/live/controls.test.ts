/** Every control of the page, used with the mouse as a person would; the lists of fires and hooks are in views.test.ts. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command } from '../../src/index.js';
import { createMailbox } from '../../src/injection/index.js';
import { type Browser, missingBrowser, startBrowser } from './browser.js';
import { makeRunner, openView } from './support.js';

let browser: Browser;

const RULE = {
  type: 'addRules' as const,
  rules: [{ toolName: 'Bash', ruleContent: 'git push' }],
  behavior: 'allow' as const,
  destination: 'session' as const,
};

async function twoAgents() {
  const runner = makeRunner();
  const mailbox = createMailbox({ agents: ['ada', 'ben'] });
  const live = await openView({ title: 'Two agents', mailbox, examples: ['! ls'] });
  live.watch(runner);
  runner.on('PreToolUse', { name: 'guard', matcher: 'Bash' }, command('echo looked at it >&2'));
  const call = (line: string) =>
    runner.fire(
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: line }, tool_use_id: line },
      { agentId: 'ada' },
    );
  const ask = (suggestions: (typeof RULE)[] = []) =>
    live.canUseTool('ada')(
      'Bash',
      { command: 'git push' },
      { signal: new AbortController().signal, toolUseID: 'x', suggestions },
    );
  return { live, mailbox, call, ask };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** What a person can click or type into, by the name that is read to them. */
const namesOf = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('a, button, input, select, textarea, summary')]
      .filter((each) => each.checkVisibility())
      .map((each) => each.getAttribute('aria-label') || each.labels?.[0]?.textContent.trim() || each.textContent.trim())`,
  );

describe.skipIf(missingBrowser !== undefined)(
  `the controls of the page${missingBrowser ? ` (${missingBrowser})` : ''}`,
  () => {
    beforeAll(async () => {
      browser = await startBrowser();
    }, 60_000);
    afterAll(() => browser?.close());

    it('LV-17 Allow, Always allow and Refuse answer the question they stand in, and close it', async () => {
      const { live, ask } = await twoAgents();
      const { page, problems } = await browser.open(live.url);
      const question = page.getByRole('group', { name: 'ada wants to use Bash' });

      const allowed = ask();
      await question.waitFor();
      expect(await button(page, 'Always allow').count()).toBe(0);
      await button(page, 'Allow').click();
      expect(await allowed).toEqual({ behavior: 'allow' });
      await question.waitFor({ state: 'detached' });

      const always = ask([RULE]);
      await question.getByText('Always means, until the session ends: allow Bash(git push).').waitFor();
      await button(page, 'Always allow').click();
      expect(await always).toEqual({ behavior: 'allow', updatedPermissions: [RULE] });
      await question.waitFor({ state: 'detached' });

      const refused = ask([RULE]);
      await button(page, 'Refuse').click();
      expect(await refused).toMatchObject({ behavior: 'deny' });
      await expect.poll(() => page.locator('#questions').isHidden()).toBe(true);
      expect(problems).toEqual([]);
    });

    it('LV-36 the tabs open their views, and say which one is open', async () => {
      const { live, call } = await twoAgents();
      const { page, problems } = await browser.open(live.url);
      await call('ls');
      const views = ['agents', 'fires', 'hooks'] as const;
      for (const open of ['hooks', 'fires', 'agents', 'hooks', 'agents'] as const) {
        await page.locator(`#tab-${open}`).click();
        await page.locator(`#${open}-view`).waitFor();
        for (const view of views) {
          expect(await page.locator(`#${view}-view`).isVisible()).toBe(view === open);
          const current = await page.locator(`#tab-${view}`).getAttribute('aria-current');
          expect(current).toBe(view === open ? 'page' : null);
        }
      }
      expect(problems).toEqual([]);
    });

    it('LV-16 a message goes to the agent that was chosen, or to all, with the button too', async () => {
      const { live, mailbox } = await twoAgents();
      const { page, problems } = await browser.open(live.url);
      const waiting = async (agent: string) => (await mailbox.pending(agent)).map(({ content }) => content);
      const message = page.getByLabel('Message');
      await expect.poll(() => page.getByLabel('To').locator('option').allTextContents()).toContain('ben');

      await page.getByLabel('To').selectOption({ label: 'ben' });
      await message.fill('Only for ben.');
      await button(page, 'Send').click();
      await page.locator('#said').getByText('Queued: ben.').waitFor();
      expect([await waiting('ada'), await waiting('ben')]).toEqual([[], ['Only for ben.']]);
      expect(await message.inputValue()).toBe('');

      await page.getByLabel('To').selectOption({ label: 'all agents' });
      await message.fill('For both.');
      await button(page, 'Send').click();
      await expect.poll(() => waiting('ada')).toEqual(['For both.']);
      await expect.poll(() => waiting('ben')).toEqual(['Only for ben.', 'For both.']);

      await button(page, 'Send').click();
      expect(
        await message.evaluate((box: { validity: { valueMissing: boolean } }) => box.validity.valueMissing),
      ).toBe(true);
      expect(await waiting('ada')).toHaveLength(1);
      expect(problems).toEqual([]);
    });

    it('LV-19 LV-20 injections, outputs and inputs open and close; the skip link leads to the message box', async () => {
      const { live, mailbox, call } = await twoAgents();
      await mailbox.put({ content: 'Metres, please.', to: 'ada', source: { kind: 'human' } });
      await call('ls');
      const { page, problems } = await browser.open(live.url);

      const item = page.locator('.item', { hasText: 'Metres, please.' });
      await item.waitFor();
      await page.getByText('Injections').click();
      await item.waitFor({ state: 'hidden' });
      await page.getByText('Injections').click();
      await item.waitFor();

      const output = page.locator('article.agent .hook .output');
      await output.locator('summary').click();
      await output.getByText('looked at it').waitFor();

      await page.keyboard.press('Home');
      await page.locator('.skip').focus();
      await page.locator('.skip').click();
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('words');
      expect(await page.locator('#agents-view').isVisible()).toBe(true);

      await page.locator('article.agent').getByRole('link', { name: 'PreToolUse' }).click();
      const details = page.locator('#fire-details');
      for (const [label, text] of [
        ['output', 'looked at it'],
        ['Input', 'tool_name: Bash'],
      ] as const) {
        const fold = details.locator('details', {
          has: page.locator('summary').getByText(label, { exact: true }),
        });
        const isOpen = await fold.getByText(text).isVisible();
        await fold.locator('summary').click();
        await expect.poll(() => fold.getByText(text).isVisible()).toBe(!isOpen);
      }
      expect(problems).toEqual([]);
    });

    it('LV-20 there is no control that these tests do not know', async () => {
      const { live, call, ask } = await twoAgents();
      const { page } = await browser.open(live.url);
      const always = [
        'Skip to the message box',
        'Agents',
        /^Fires/,
        /^Hooks/,
        'Keys',
        'To',
        'Message',
        'Send',
      ];
      const expectOnly = async (...known: (string | RegExp)[]) => {
        const all = [...always, ...known];
        const isKnown = (name: string) =>
          all.some((each) => (typeof each === 'string' ? each === name : each.test(name)));
        const names = await namesOf(page);
        expect(names.filter((name) => !isKnown(name))).toEqual([]);
        for (const each of all)
          expect(
            names.some((name) => (typeof each === 'string' ? each === name : each.test(name))),
            `${each}`,
          ).toBe(true);
      };
      await button(page, '! ls').waitFor();
      await expectOnly('! ls', /^Injections/);

      void ask([RULE]);
      await call('ls');
      await page.locator('article.agent .hook .output').waitFor();
      await button(page, 'Refuse').waitFor();
      await expectOnly('Allow', 'Always allow', 'Refuse', /^Injections/, 'PreToolUse', 'output');
      await button(page, 'Refuse').click();

      await page.locator('#tab-fires').click();
      await page.locator('.fire-link').first().click();
      await page.locator('#as-test').waitFor();
      const filters = ['Search fires', 'Agent', 'Event', 'Hook', 'Decision', 'failures', 'Export'];
      const ofFire = ['Fire again', 'Copy link', 'output', 'Input', 'Save as hook test'];
      await expectOnly(...filters, /PreToolUse Bash/, ...ofFire);
      await page.getByLabel('failures').check();
      await button(page, 'Clear').waitFor();
      await button(page, 'Clear').click();
      await page.getByText('Save as hook test').click();
      await expectOnly(...filters, /PreToolUse Bash/, ...ofFire, 'Copy test', 'Download');

      await page.locator('#tab-hooks').click();
      await page.locator('#hook-rows a').waitFor();
      await expectOnly('Fires of guard');

      await button(page, 'Keys').click();
      await button(page, 'Close').waitFor();
      await expectOnly('Fires of guard', 'Close');
      await button(page, 'Close').click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });
  },
);
