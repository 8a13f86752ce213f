import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Panel } from '../../../shared/components/Panel.tsx'
import classes from './Section.module.css'

interface SectionProps {
  title: string
  hint: string
  children: ReactNode
}

/** One subject of the account: what it is about beside its fields. */
export function Section({ title, hint, children }: SectionProps) {
  const id = useId()
  return (
    <Panel p="lg">
      <section className={classes.section} aria-labelledby={id}>
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {hint}
          </Text>
        </div>
        <div>{children}</div>
      </section>
    </Panel>
  )
}
