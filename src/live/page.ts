/** Loads the static files of the page. */
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
};

/** The files by name; index.html has the empty name. */
export async function loadPage(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = new URL('./page/', import.meta.url);
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const content = await readFile(new URL(name, folder));
      return [
        name === 'index.html' ? '' : name,
        { type: TYPES[extname(name)] ?? 'text/plain', content },
      ] as const;
    }),
  );
  return new Map(files);
}
