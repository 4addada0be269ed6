/** The built site in a real browser: every page opens, links lead somewhere, search answers questions, phones need no sideways scrolling. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, missingBrowser, PICTURES, startBrowser } from '../../test/live/browser.js';

const site = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));
if (!existsSync(site)) throw new Error('The site is not built. Run `npm run docs`.');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The file behind a path, as a host with clean URLs finds it. */
const fileOf = (path: string): string | undefined =>
  [path, `${path}.html`, join(path, 'index.html')]
    .map((name) => join(site, name))
    .find((file) => existsSync(file) && statSync(file).isFile());

const pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html') && path !== '404.html')
  .map((path) => ({ path, html: readFileSync(join(site, path), 'utf8') }));

const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));

it('has no link that leads nowhere, anchors included', () => {
  const ids = new Map(pages.map(({ path, html }) => [join(site, path), idsOf(html)]));
  const dead: string[] = [];
  for (const { path, html } of pages) {
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [target = '', anchor] = href.split('#');
      const file =
        target === ''
          ? join(site, path)
          : fileOf(target.startsWith('/') ? target : resolve('/', dirname(path), target));
      const known =
        file !== undefined && (anchor === undefined || ids.get(file)?.has(decodeURIComponent(anchor)));
      if (!known) dead.push(`${path}: ${href}`);
    }
  }
  expect(dead).toEqual([]);
});

describe.skipIf(missingBrowser !== undefined)(
  `in a browser${missingBrowser ? ` (${missingBrowser})` : ''}`,
  () => {
    let server: Server;
    let browser: Browser;
    let address: string;

    beforeAll(async () => {
      server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
        const file = fileOf(path);
        response.writeHead(file === undefined ? 404 : 200, {
          'content-type': TYPES[extname(file ?? '')] ?? 'text/plain',
        });
        response.end(file === undefined ? '' : readFileSync(file));
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await startBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      server?.close();
    });

    it.each(['light', 'dark'] as const)('shows the start page and a guide, %s', async (colorScheme) => {
      const { page, problems } = await browser.open(`${address}/`);
      await page.emulateMedia({ colorScheme });
      for (const [name, path, heading] of [
        ['home', '/', 'hookline'],
        ['guide', '/docs/start/typescript', 'Your first hook in TypeScript'],
      ] as const) {
        await page.goto(`${address}${path}`);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await page.screenshot({ path: join(PICTURES, `docs-${name}-${colorScheme}.png`) });
      }
      expect(problems).toEqual([]);
      await page.close();
    });

    it.each(['frameworks', 'guards', 'hosts'])(
      'the overview of %s is marked in the sidebar, and its next page is the first of its group',
      async (folder) => {
        const { page } = await browser.open(`${address}/docs/${folder}/`);
        const marked = page.locator('.VPSidebarItem.is-active > .item a');
        expect(await marked.getAttribute('href')).toBe(`/docs/${folder}/`);
        expect(await marked.isVisible()).toBe(true);
        const next = await page.locator('.pager-link.next').getAttribute('href');
        expect(next).toMatch(new RegExp(`^/docs/${folder}/.`));
        await page.close();
      },
    );

    it('fits a phone: no page scrolls sideways', async () => {
      const { page } = await browser.open(`${address}/`);
      await page.setViewportSize({ width: 390, height: 800 });
      const wide: string[] = [];
      for (const { path } of pages) {
        if (path.startsWith('spec/')) continue;
        await page.goto(`${address}/${path.replace(/(index)?\.html$/, '')}`);
        const over = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (over !== 0) wide.push(`${path}: ${over}`);
      }
      await page.goto(`${address}/docs/concepts/trust`);
      await page.screenshot({ path: join(PICTURES, 'docs-phone.png') });
      expect(wide).toEqual([]);
      await page.close();
    });

    it('keeps names in tables whole on a phone', async () => {
      const { page } = await browser.open(`${address}/docs/reference/api`);
      await page.setViewportSize({ width: 390, height: 800 });
      const lines = await page
        .locator('.vp-doc td a code')
        .evaluateAll((names) => names.map((name) => [name.textContent, name.getClientRects().length]));
      expect(lines.length).toBeGreaterThan(5);
      // `a/b-c` may break behind its punctuation.
      expect(lines.filter(([name, count]) => /^\w+$/.test(`${name}`) && count !== 1)).toEqual([]);
      await page.close();
    });

    /** What newcomers ask, and the page that answers it. */
    it.each([
      ['deny does nothing exit code 1', '/docs/more/faq'],
      ['hook timeout', '/docs/more/faq'],
      ['my hook times out', '/docs/more/faq'],
      ['matcher does not match mcp tool', '/docs/more/faq'],
      ['which events can block', '/docs/concepts/events'],
      ['disable a hook temporarily', '/docs/more/faq'],
      ['debug hook output', '/docs/more/faq'],
      ['rename tool Bash in my agent', '/docs/guards/'],
      ['how do I approve hooks in docker', '/docs/more/faq'],
      ['slash command', '/docs/how-to/try-hooks-in-a-terminal'],
      ['log all tool calls', '/docs/guards/audit-log'],
      ['uninstall', '/docs/more/faq'],
      ['hook does not run', '/docs/more/faq'],
      ['exit code 2', '/docs/start/shell'],
      ['block force push', '/docs/how-to/block-force-pushes'],
      ['format after edit', '/docs/how-to/format-after-edit'],
      ['tests before stop', '/docs/how-to/tests-before-stop'],
      ['secrets .env', '/docs/how-to/protect-secrets'],
      ['API key hook environment', '/docs/more/faq'],
      ['approve hook changed', '/docs/concepts/trust'],
      ['text on stdout', '/docs/start/shell'],
      ['timeout seconds', '/docs/concepts/order'],
      ['ask a person', '/docs/how-to/ask-a-person'],
      ['message running agent another process', '/docs/how-to/talk-to-a-running-agent'],
      ['redact output', '/docs/how-to/redact-output'],
      ['regular expression matcher', '/docs/concepts/matchers'],
      ['settings.json', '/docs/coming-from/claude-code'],
      ['massgen yaml', '/docs/coming-from/massgen'],
      ['subagent hooks', '/docs/how-to/subagents'],
      ['junit', '/docs/how-to/test-hooks'],
      ['opentelemetry', '/docs/how-to/opentelemetry'],
      ['onFailure block', '/docs/concepts/failure'],
      ['CLAUDE_TOOL_NAME', '/docs/more/faq'],
      ['how do I block a command', '/docs/more/faq'],
      ['block rm -rf', '/docs/more/faq'],
      ['enabledPlugins', '/docs/coming-from/claude-code'],
      ['top-level await cjs', '/docs/more/faq'],
      ['ConfigChange', '/docs/reference/configuration'],
      ['gemini hooks', '/docs/coming-from/gemini-cli'],
      ['redis', '/docs/how-to/several-processes'],
      ['permission denied script', '/docs/more/faq'],
      ['python hook', '/docs/start/shell'],
      ['agent never stops', '/docs/more/faq'],
      ['CLAUDE_PROJECT_DIR', '/docs/reference/environment'],
      ['hook changed refuses', '/docs/more/faq'],
      ['windows', '/docs/more/faq'],
      ['commonjs require', '/docs/more/faq'],
      ['github action', '/docs/how-to/test-hooks'],
      ['vercel ai sdk', '/docs/frameworks/ai-sdk'],
      ['limit cost of a run', '/docs/how-to/cap-cost'],
      ['rewrite tool input', '/docs/how-to/rewrite-input'],
      ['codex skips hooks', '/docs/hosts/codex'],
      ['install for all agents', '/docs/hosts/'],
      ['plugin hooks', '/docs/coming-from/claude-code'],
      ['session start context', '/docs/more/faq'],
      ['where are approvals stored', '/docs/more/faq'],
      ['json answer of a hook', '/docs/concepts/outcome'],
      ['run hooks in parallel', '/docs/concepts/order'],
      ['guard not approved', '/docs/concepts/trust'],
      ['local model ollama', '/docs/more/faq'],
      ['cache folder', '/docs/reference/environment'],
      ['npx hookline init', '/docs/start/shell'],
      ['stop_hook_active', '/docs/how-to/tests-before-stop'],
      ['transcript_path', '/docs/reference/events'],
      ['notification when agent waits', '/docs/more/faq'],
      ['message to the running agent', '/docs/how-to/talk-to-a-running-agent'],
      ['milliseconds timeout 5000', '/docs/more/faq'],
      ['program not in PATH', '/docs/more/faq'],
      ['run without a key', '/docs/how-to/try-hooks-in-a-terminal'],
      ['approve in CI', '/docs/more/faq'],
      ['dashboard see hooks live', '/docs/how-to/watch-on-the-page'],
      ['langchain middleware', '/docs/frameworks/langchain'],
      ['are paths absolute', '/docs/more/faq'],
      ['settings env', '/docs/reference/environment'],
      ['transcript format', '/docs/reference/events'],
      ['asyncRewake', '/docs/reference/configuration'],
      ['http hook', '/docs/reference/configuration'],
      ['allowedEnvVars', '/docs/reference/configuration'],
      ['test python guard', '/docs/start/shell'],
      ['gemini cli and codex in CI', '/docs/how-to/one-policy-for-a-team'],
      ['save fire as test', '/docs/how-to/watch-on-the-page'],
    ])('search finds an answer to "%s" among the first three', async (question, answer) => {
      const { page } = await browser.open(`${address}/docs/start/typescript`);
      await page.locator('#local-search button').click();
      await page.locator('.search-input').fill(question);
      await page.locator('.results .result').first().waitFor();
      const found = await page
        .locator('.results .result')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as unknown as { href: string }).href).pathname),
        );
      expect(found.slice(0, 3)).toContain(answer);
      await page.close();
    });
  },
);
