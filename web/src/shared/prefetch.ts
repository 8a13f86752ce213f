import { createContext, use, useEffect, useRef } from 'react'

/** Fetches the chunk of the page that an address shows. */
export const PrefetchContext = createContext<(path: string) => void>(() => {})

const MARGIN = '200px'

// Nothing is fetched ahead of what the page in front of the person still waits for.
export function whenIdle(act: () => void): void {
  const soon = () =>
    'requestIdleCallback' in window ? window.requestIdleCallback(act) : setTimeout(act, 200)
  if (document.readyState === 'complete') soon()
  else window.addEventListener('load', soon, { once: true })
}

/**
 * Fetches a linked page's chunk once the link is within 200 px of what is visible and nothing else is
 * to be done, and at once for a pointer or a focus on it.
 */
export function usePrefetch(path: string) {
  const prefetch = use(PrefetchContext)
  const ref = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const link = ref.current
    if (!link) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        whenIdle(() => prefetch(path))
      },
      { rootMargin: MARGIN },
    )
    observer.observe(link)
    const wanted = new AbortController()
    const fetchNow = () => {
      observer.disconnect()
      wanted.abort()
      prefetch(path)
    }
    link.addEventListener('pointerenter', fetchNow, { signal: wanted.signal })
    link.addEventListener('focus', fetchNow, { signal: wanted.signal })
    return () => {
      observer.disconnect()
      wanted.abort()
    }
  }, [path, prefetch])
  return ref
}
