import { createContext, use, useEffect, useRef } from 'react'

/** Fetches the chunk of the page that an address shows. */
export const PrefetchContext = createContext<(path: string) => void>(() => {})

const MARGIN = '200px'

/** Fetches a linked page's chunk once the link is within 200 px of what is visible. */
export function usePrefetch(path: string) {
  const prefetch = use(PrefetchContext)
  const ref = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const link = ref.current
    if (!link) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        prefetch(path)
        observer.disconnect()
      },
      { rootMargin: MARGIN },
    )
    observer.observe(link)
    return () => observer.disconnect()
  }, [path, prefetch])
  return ref
}
