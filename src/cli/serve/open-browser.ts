/** Opens an address in the default browser of this machine. */
import { spawn } from 'node:child_process';

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** A missing browser is not an error: the user can open the address by hand. Never throws. */
export function openBrowser(url: string, complain: (text: string) => void): void {
  const program = PROGRAMS[process.platform] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', ({ message }) =>
    complain(`The browser cannot be opened: ${message}. Open the address yourself.`),
  );
  child.unref();
}
