import { Paper, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Panel.module.css'

interface PanelProps extends PaperProps {
  id?: string
  children: ReactNode
}

/** A raised sheet on the canvas. */
export function Panel({ children, ...others }: PanelProps) {
  return (
    <Paper className={classes.panel} {...others}>
      {children}
    </Paper>
  )
}
