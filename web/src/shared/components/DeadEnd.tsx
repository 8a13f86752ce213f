import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './DeadEnd.module.css'
import { FloeArt } from './FloeArt.tsx'

interface DeadEndProps {
  title: string
  text: string
  /** A large mark above the title, such as an error number. */
  mark?: string
  action: ReactNode
}

/** The end of a road: says what is the matter and offers the way out. */
export function DeadEnd({ title, text, mark, action }: DeadEndProps) {
  return (
    <div className={classes.deadEnd}>
      <FloeArt className={classes.art} />
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
