/** Where Gemini CLI keeps the plans of a session: its hooks read the folder in a variable. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { userDirectory } from '../../base/files/text-file.js';
import { isObject, parsed } from '../host/answers.js';

const HOME = '.gemini';

/** A transcript of Gemini CLI is in the same folder. Without a session there is no such folder. */
export function plansFolder(project: string, session: string, transcript: string): string {
  if (session === '') return '';
  const [, known] = /^(.*[\\/]tmp[\\/][^\\/]+)[\\/]chats[\\/][^\\/]+$/.exec(transcript) ?? [];
  const home = userDirectory(undefined, HOME);
  return join(known ?? join(home, 'tmp', nameOf(project, home)), session, 'plans');
}

/** The name that is stored for the project, or the one that a new project gets. */
function nameOf(project: string, home: string): string {
  const stored = storedNames(home)[project];
  const made = basename(project)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return typeof stored === 'string' ? stored : made || 'project';
}

function storedNames(home: string): Readonly<Record<string, unknown>> {
  try {
    const content = parsed(readFileSync(join(home, 'projects.json'), 'utf8'));
    return isObject(content) && isObject(content['projects']) ? content['projects'] : {};
  } catch {
    return {};
  }
}
