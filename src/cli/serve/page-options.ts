/** The options of commands that serve a page, and how the page is opened. */
import { HookError, show } from '../../base/errors.js';
import type { Options } from '../command.js';

export const PAGE_OPTIONS = {
  port: { type: 'string', value: 'N', help: 'The port of the page. Default: any free port.' },
  open: { type: 'boolean', help: 'Open the page in a browser.' },
} as const satisfies Options;

/** Throws a HookError for something that is no port. */
export function portOf(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (text !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new HookError('invalid_option', `--port is ${show(text)}; give a number from 0 to 65535.`);
}

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** Resolves when it is started. A missing browser is not an error: the user can open the address by hand. Never rejects. */
export async function openBrowser(url: string, note: (text: string) => void): Promise<void> {
  const { execa } = await import('execa');
  const program = PROGRAMS[process.platform] ?? 'xdg-open';
  const child = execa(program, [url], { stdio: 'ignore', detached: true, cleanup: false, reject: false });
  child.unref();
  if (child.pid !== undefined) return;
  const { originalMessage } = await child;
  note(`The browser cannot be opened: ${originalMessage}. Open the address yourself.`);
}
