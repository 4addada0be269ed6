/** The texts of the files that an approval of a hook covers, for the person who approves it. */
import { resolve } from 'node:path';
import { sha256 } from './hash.js';
import { readScript } from './kept-scripts.js';
import type { TrustSubject } from './subject.js';
import { trustForm } from './trust-store.js';

export interface CoveredText {
  readonly path: string;
  readonly text: string;
}

/** Only texts that are exactly what the approval covers: no large or binary files, and none that changes just now. */
export async function coveredTexts(
  subject: TrustSubject,
  workspace: string,
): Promise<readonly CoveredText[]> {
  const { files } = await trustForm(subject).catch(() => ({ files: [] }));
  const texts = files.map(async ({ path, content }) => {
    const text = await readScript(resolve(workspace, path));
    return text !== undefined && content === `sha256:${sha256(text)}` ? [{ path, text }] : [];
  });
  return (await Promise.all(texts)).flat();
}
