/**
 * The URL of a typed address; null when it is not one. Only http and https: a link must
 * never run a script. A bare host means https.
 */
export function webLink(text: string | null | undefined): string | null {
  const bare = (text ?? '').trim();
  if (!bare || /[\s<>"'`\\]/.test(bare)) return null;
  // A file of our own.
  if (bare.startsWith('/api/')) return bare;
  const named = /^[a-z][a-z0-9+.-]*:/i.test(bare);
  if (!named && !/^[^/?#]+\.[^/?#]/.test(bare)) return null;
  const full = named ? bare : `https://${bare}`;
  return /^https?:\/\/[^/]/i.test(full) && URL.canParse(full) ? full : null;
}
