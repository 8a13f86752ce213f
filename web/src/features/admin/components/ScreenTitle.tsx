import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ScreenTitle.module.css'

export function ScreenTitle({ back, children }: { back: ReactNode; children: ReactNode }) {
  return (
    <>
      <div className={classes.back}>{back}</div>
      <Title order={1} size="h2" className={classes.title ?? ''}>
        {children}
      </Title>
    </>
  )
}
