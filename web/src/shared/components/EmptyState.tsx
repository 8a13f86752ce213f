import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Art } from '../art/Art.tsx'
import type { SceneName } from '../art/scenes.tsx'
import classes from './EmptyState.module.css'

interface EmptyStateProps {
  scene: SceneName
  title: string
  text?: string
  action?: ReactNode
}

/** Stands where a list will be, and begins it. */
export function EmptyState({ scene, title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Art scene={scene} />
      <Title order={2} size="h3">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={440}>
          {text}
        </Text>
      )}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
