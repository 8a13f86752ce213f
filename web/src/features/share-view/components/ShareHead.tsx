import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ShareHead.module.css'

interface ShareHeadProps {
  name: string
  description: string | null | undefined
  /** How many files, and how large. */
  summary: string
  /** When it ends. */
  end: string
  /** Stands beside it. */
  children?: ReactNode
}

/** What a share is. */
export function ShareHead({ name, description, summary, end, children }: ShareHeadProps) {
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <Title order={1} size="h2" className={classes.title}>
          <bdi>{name}</bdi>
        </Title>
        {description && <Text className={classes.description}>{description}</Text>}
        <Text size="sm" c="dimmed">
          {summary} · {end}
        </Text>
      </div>
      {children}
    </div>
  )
}
