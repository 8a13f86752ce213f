import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { PageNewsContext } from '../shared/title.ts'

/**
 * Says aloud which page came. Of the first one the browser tells by itself, of those that take its
 * place without a new document it does not.
 */
export function PageNews({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  const [hasMoved, setHasMoved] = useState(false)
  const [news, setNews] = useState({ title: '', path: first })
  const current = useRef(pathname)
  useLayoutEffect(() => {
    current.current = pathname
    if (pathname !== first) setHasMoved(true)
  }, [pathname, first])
  const tell = useCallback((title: string) => setNews({ title, path: current.current }), [])
  return (
    <PageNewsContext value={tell}>
      {children}
      <VisuallyHidden role="status">
        {hasMoved && news.path === pathname && news.title}
      </VisuallyHidden>
    </PageNewsContext>
  )
}
