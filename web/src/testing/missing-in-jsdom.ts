/** What the page asks of a browser and jsdom does not have: nothing is laid out, nothing scrolls. */
export function addMissingParts(window: Window & typeof globalThis): void {
  class NoObserver {
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return []
    }
  }
  const never = (media: string) =>
    Object.assign(new EventTarget(), {
      media,
      matches: false,
      onchange: null,
      addListener() {},
      removeListener() {},
    })
  // As in a private window: the page then remembers no uploads.
  const refusedDatabase = {
    open() {
      const request: { error: Error; onerror?: () => void } = { error: new Error('refused') }
      queueMicrotask(() => request.onerror?.())
      return request
    },
  }
  const missing = {
    indexedDB: refusedDatabase,
    matchMedia: never,
    ResizeObserver: NoObserver,
    IntersectionObserver: NoObserver,
  }
  for (const [name, value] of Object.entries(missing)) {
    Object.defineProperty(window, name, { value, configurable: true, writable: true })
  }
  window.Element.prototype.scrollIntoView = () => {}
  Object.defineProperty(window.document, 'fonts', {
    value: new EventTarget(),
    configurable: true,
  })
}
