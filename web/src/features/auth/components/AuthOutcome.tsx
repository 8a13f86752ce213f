import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../../../shared/components/Page.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import classes from './AuthOutcome.module.css'

interface AuthOutcomeProps {
  icon: ReactNode
  title: string
  text: string
  /** The ways on. */
  children: ReactNode
}

/** How a form of the sign-in pages ended, well or not. */
export function AuthOutcome({ icon, title, text, children }: AuthOutcomeProps) {
  return (
    <Page width="narrow">
      <div className={classes.place}>
        <Panel p="xl">
          <div className={classes.body}>
            <span className={classes.icon}>{icon}</span>
            <Title order={1} size="h3">
              {title}
            </Title>
            <Text c="dimmed" size="sm">
              {text}
            </Text>
            <div className={classes.action}>{children}</div>
          </div>
        </Panel>
      </div>
    </Page>
  )
}
