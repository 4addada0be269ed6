/** Reads the names of the files that git tracks from its index. */

export interface TrackedFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly isLink: boolean;
}

const [HEADER, MODE_AT, FLAGS_AT, PATH_AT] = [12, 24, 60, 62];
const LINK = 0o12;
const IS_EXTENDED = 0x4000;

/** Undefined for a format that is not known. */
export function trackedFiles(index: Buffer): readonly TrackedFile[] | undefined {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return undefined;
  const found: TrackedFile[] = [];
  let at = HEADER;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const isExtended = (index.readUInt16BE(at + FLAGS_AT) & IS_EXTENDED) !== 0;
    const start = at + PATH_AT + (isExtended ? 2 : 0);
    const end = index.indexOf(0, start);
    if (end < 0) return undefined;
    found.push({
      path: index.toString('utf8', start, end),
      isLink: index.readUInt32BE(at + MODE_AT) >>> 12 === LINK,
    });
    // Entries are padded to a multiple of eight bytes, with at least one.
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  // With this extension, other names are in another file.
  return index.indexOf('link', at) < 0 ? found : undefined;
}
