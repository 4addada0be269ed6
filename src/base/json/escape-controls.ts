/** Makes control characters visible in text shown to people, so that the text cannot control the terminal. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const ALL_CONTROLS = new RegExp(CONTROLS, 'g');

/**
 * Keeps tabs and line ends. Other control characters become visible symbols, and bidirectional overrides are removed.
 */
export function escapeControls(text: string): string {
  return CONTROLS.test(text) ? text.replaceAll('\r\n', '\n').replaceAll(ALL_CONTROLS, symbolFor) : text;
}

function symbolFor(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '';
}
