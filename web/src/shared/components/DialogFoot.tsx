import type { ReactNode } from 'react'
import classes from './DialogFoot.module.css'

/** The buttons at the end of a dialog. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>
}
