/** Builds and parses the file names: claims, finished items, staged files, and agents' folders. */
import { randomBytes } from 'node:crypto';
import { type Owner, readOwner, writeOwner } from '../../../process/owner.js';
import { digestOf, type ItemName, parseItemName, toHex } from './item-name.js';

const ENDING = '.json';

/** How an item ended; a failure includes its kind. */
export type Ending = 'delivered' | 'carried' | 'expired' | 'failed-corrupt' | 'failed-left';

export interface ClaimName {
  readonly name: ItemName;
  readonly owner: Owner;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

export interface EndName {
  readonly name: ItemName;
  readonly ending: Ending;
  readonly at: number;
}

export interface StagedName {
  readonly name: ItemName;
  readonly owner: Owner;
  /** The folder of the agent this copy is for; undefined for the original item. */
  readonly copyFor: string | undefined;
}

const ENDINGS: readonly string[] = [
  'delivered',
  'carried',
  'expired',
  'failed-corrupt',
  'failed-left',
] satisfies Ending[];
const PUT = 'put';

export function itemFile({ text }: ItemName): string {
  return text + ENDING;
}

export function readItemFile(file: string): ItemName | undefined {
  const [name, ...more] = partsOf(file);
  return more.length === 0 && name !== undefined ? parseItemName(name) : undefined;
}

export function claimFile({ text }: ItemName, owner: Owner, endsAt: number): string {
  return join(text, writeOwner(owner), toHex(wholeTime(endsAt), 12), randomPart());
}

export function readClaimFile(file: string): ClaimName | undefined {
  const [text = '', ownerText = '', endsAt = '', , ...more] = partsOf(file);
  const name = parseItemName(text);
  const owner = readOwner(ownerText);
  if (name === undefined || owner === undefined || more.length > 0) return undefined;
  if (!/^[0-9a-f]{12}$/.test(endsAt)) return undefined;
  return { name, owner, endsAt: Number.parseInt(endsAt, 16) };
}

/** Sorting the names as text sorts them by time. */
export function endFile({ text }: ItemName, ending: Ending, at: number): string {
  return join(toHex(wholeTime(at), 12), ending, text);
}

export function readEndFile(file: string): EndName | undefined {
  const [at = '', ending = '', text = '', ...more] = partsOf(file);
  const name = parseItemName(text);
  if (name === undefined || more.length > 0 || !/^[0-9a-f]{12}$/.test(at)) return undefined;
  if (!isEnding(ending)) return undefined;
  return { name, ending, at: Number.parseInt(at, 16) };
}

export function stagedFile({ text }: ItemName, owner: Owner, copyFor: string | undefined): string {
  return join(text, writeOwner(owner), randomPart(), copyFor ?? PUT);
}

export function readStagedFile(file: string): StagedName | undefined {
  const [text = '', ownerText = '', , kind, ...more] = partsOf(file);
  const name = parseItemName(text);
  const owner = readOwner(ownerText);
  if (name === undefined || owner === undefined || kind === undefined || more.length > 0) return undefined;
  return { name, owner, copyFor: kind === PUT ? undefined : kind };
}

/** A folder that is being created. */
export function unfinishedFolder(folder: string, owner: Owner): string {
  return `${folder}~${writeOwner(owner)}~${randomPart()}`;
}

export function ownerOfUnfinished(name: string): Owner | undefined {
  const [, ownerText = '', ...more] = name.split('~');
  return more.length === 1 ? readOwner(ownerText) : undefined;
}

/** The folder has a safe name, whatever the agent's name is; the first part is readable. */
export function agentFolder(agentId: string): string {
  const readable = agentId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 24);
  return `${readable || 'agent'}.${digestOf(agentId).slice(0, 32)}`;
}

export function randomPart(): string {
  return randomBytes(4).toString('hex');
}

function isEnding(text: string): text is Ending {
  return ENDINGS.includes(text);
}

function join(...parts: readonly string[]): string {
  return parts.join('~') + ENDING;
}

function partsOf(file: string): string[] {
  return file.endsWith(ENDING) ? file.slice(0, -ENDING.length).split('~') : [];
}

/** Times in names are non-negative integers. */
function wholeTime(time: number): number {
  return Math.min(Math.max(0, Math.floor(time)), 0xffff_ffff_ffff);
}
