/** Detects images by their first bytes rather than their names, as the model APIs do. */

export function imageType(bytes: Buffer): string | undefined {
  const begins = (signature: string, at = 0): boolean =>
    bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begins('\xff\xd8\xff')) return 'image/jpeg';
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif';
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp';
  return undefined;
}
