import { siteStylePaths } from '@floe/contracts'

/** Once settings have changed: the document names the style sheets as they were before. */
export function renewSiteStyles(): void {
  const links = Object.values(siteStylePaths).map((path) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = `${path}?at=${Date.now()}`
    const before = document.querySelector(`link[href^="${path}"]`)
    // Until the new one has come the one before applies.
    link.addEventListener('load', () => before?.remove())
    return link
  })
  document.body.prepend(...links)
}
