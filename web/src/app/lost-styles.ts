const RETRY_MS = 1000

/**
 * Asks again for a stylesheet that did not arrive, until it does, and not while there is no
 * connection. Vite asks once for those of a lazy chunk, and takes them for loaded when the chunk is
 * asked for again.
 */
export function recoverStylesheets(): void {
  // Errors of elements do not bubble.
  window.addEventListener('error', ({ target }) => replaceLater(target), { capture: true })
}

function replaceLater(target: EventTarget | null): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
  const askAgain = () => target.replaceWith(target.cloneNode())
  if (navigator.onLine) setTimeout(askAgain, RETRY_MS)
  else window.addEventListener('online', askAgain, { once: true })
}
