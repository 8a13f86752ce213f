/** Whether this browser lets a page decrypt what it downloads: in private windows some do not. */
export function canDecrypt(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator
}
