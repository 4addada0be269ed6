/** A strict little reader of XML, for the reports that other programs read. */

/** One tag, or the text up to the next one. */
const TOKEN = /<\?[^>]*\?>|<\/([\w:-]+)>|<([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;

/** The names of all elements in order, and everything that makes it no XML. */
export function readXml(text: string): { elements: string[]; problems: string[] } {
  const elements: string[] = [];
  const problems: string[] = [];
  const open: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML forbids is what this is about
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.exec(text);
  if (forbidden) problems.push(`a forbidden character at ${forbidden.index}`);
  const loose = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.exec(text);
  if (loose) problems.push(`a loose & at ${loose.index}`);
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (token === null) {
      problems.push(`no tag at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
      break;
    }
    const [, closed, opened, , alone] = token;
    if (opened !== undefined) {
      elements.push(opened);
      if (alone === '') open.push(opened);
    } else if (closed !== undefined && open.pop() !== closed) problems.push(`</${closed}> closes nothing`);
  }
  if (open.length > 0) problems.push(`${open.join(', ')} is never closed`);
  return { elements, problems };
}
