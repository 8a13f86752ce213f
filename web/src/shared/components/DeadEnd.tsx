import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Art } from '../art/Art.tsx'
import type { SceneName } from '../art/scenes.tsx'
import classes from './DeadEnd.module.css'

interface DeadEndProps {
  /** The drawing above it. */
  scene?: SceneName
  title: string
  text: string
  /** A large mark above the title, such as an error number. */
  mark?: string
  action: ReactNode
}

/** The end of a road: says what is the matter and offers the way out. */
export function DeadEnd({ scene = 'storm', title, text, mark, action }: DeadEndProps) {
  return (
    <div className={classes.deadEnd}>
      <Art scene={scene} />
      {mark && <p className={classes.mark}>{mark}</p>}
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed" maw={440}>
        {text}
      </Text>
      <div className={classes.action}>{action}</div>
    </div>
  )
}
