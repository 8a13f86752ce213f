import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'
import { FloeArt } from './FloeArt.tsx'

interface EmptyStateProps {
  title: string
  text: string
  action: ReactNode
}

/** Stands where a list will be, and begins it. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <FloeArt className={classes.art} />
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" maw={440}>
        {text}
      </Text>
      <div className={classes.action}>{action}</div>
    </div>
  )
}
