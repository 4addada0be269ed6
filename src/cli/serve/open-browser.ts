/** Opens an address in the browser of whoever sits at this machine. */
import { spawn } from 'node:child_process';

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** It is no error when there is none: whoever reads the address can open it. Never throws. */
export function openBrowser(url: string, complain: (text: string) => void): void {
  const program = PROGRAMS[process.platform] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', ({ message }) =>
    complain(`The browser cannot be opened: ${message}. Open the address yourself.`),
  );
  child.unref();
}
