/** Text that will be shown to a person: what would steer a terminal is made visible instead of obeyed. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const ALL_STEERING = new RegExp(STEERING, 'g');

/** Tabs and line ends stay; other control characters become visible signs, and bidirectional overrides vanish. */
export function escapeControls(text: string): string {
  return STEERING.test(text) ? text.replaceAll('\r\n', '\n').replaceAll(ALL_STEERING, sign) : text;
}

function sign(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '';
}
