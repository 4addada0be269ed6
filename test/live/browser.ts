/** A real browser for the tests of the page: Debian's Chromium, driven from outside. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why there is no browser; undefined when there is one. */
export const missingBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : `left out: there is no ${CHROMIUM}; install chromium, or name one in CHROMIUM`;

/** Where pictures of the page are put, to be looked at. */
export const PICTURES = process.env['HOOKLINE_PICTURES'] ?? join(tmpdir(), 'hookline-live-view');

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  /** A page of its own; what goes wrong in it is collected. */
  open(url: string): Promise<{ page: Page; problems: readonly string[] }>;
  close(): Promise<void>;
}

export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'hookline-chromium-'));
  mkdirSync(PICTURES, { recursive: true });
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    chromiumSandbox: false,
    headless: true,
    args: ARGUMENTS,
    viewport: { width: 1360, height: 860 },
    colorScheme: 'light',
  });
  return {
    open: async (url) => {
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (said) => {
        if (said.type() === 'error') problems.push(said.text());
      });
      await page.goto(url);
      return { page, problems };
    },
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** The texts on the page that are too faint to read, with their contrast. */
export function faintTexts(page: Page): Promise<string[]> {
  // Runs in the page, where the types of this project do not reach.
  return page.evaluate(`(() => {
    const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
    const ground = (element) => {
      for (let each = element; each; each = each.parentElement) {
        const colour = parse(getComputedStyle(each).backgroundColor);
        if (colour.length === 3 || colour[3] > 0) return colour;
      }
      return [255, 255, 255];
    };
    const faint = [];
    for (const element of document.querySelectorAll('body *')) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
      if (!own || !element.checkVisibility() || element.closest('.unseen, .skip, noscript')) continue;
      const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      if (contrast < 4.5) faint.push(contrast.toFixed(2) + ' ' + element.className + ': ' + element.textContent.slice(0, 30));
    }
    return faint;
  })()`);
}
