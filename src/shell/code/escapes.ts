/** Texts with escapes, as `printf` and many languages read them. */

/** Decodes escapes as `printf` and many languages do. */
export function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-f]{1,2})|u([\da-f]{4})|(0?[0-7]{1,3})|.)/gis,
    (whole, hex, code, octal) => {
      const digits = hex ?? code;
      if (digits === undefined && octal === undefined) return whole === '\\n' ? '\n' : ' ';
      return String.fromCharCode(Number.parseInt(digits ?? octal, digits === undefined ? 8 : 16));
    },
  );
}
