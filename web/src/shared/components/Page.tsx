import type { ReactNode } from 'react'
import classes from './Page.module.css'

interface PageProps {
  width?: 'narrow' | 'regular' | 'wide'
  children: ReactNode
}

/** The centred column that holds a page. */
export function Page({ width = 'regular', children }: PageProps) {
  return (
    <main id="main" className={classes.page} data-width={width}>
      {children}
    </main>
  )
}
