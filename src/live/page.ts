/** Loads the static files of the page. */
import { readFile } from 'node:fs/promises';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'app.js': SCRIPT,
  'agents.js': SCRIPT,
  'dom.js': SCRIPT,
  'entries.js': SCRIPT,
  'items.js': SCRIPT,
  'questions.js': SCRIPT,
  'say.js': SCRIPT,
  'send.js': SCRIPT,
};

/** The files by name; index.html has the empty name. */
export async function loadPage(): Promise<ReadonlyMap<string, PageFile>> {
  const files = await Promise.all(
    Object.entries(TYPES).map(async ([name, type]) => {
      const content = await readFile(new URL(`./page/${name}`, import.meta.url));
      return [name === 'index.html' ? '' : name, { type, content }] as const;
    }),
  );
  return new Map(files);
}
