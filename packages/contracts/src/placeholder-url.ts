/**
 * Is this the address a site has while nobody has told it another? On any machine but the server's
 * it leads to that very machine: nothing to pass on, and no origin to trust.
 */
export function isPlaceholderUrl(appUrl: string): boolean {
  return /^http:\/\/localhost(:\d+)?\/?$/i.test(appUrl)
}
