import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../../../shared/components/Page.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { SiteLogo } from '../../../shared/components/SiteLogo.tsx'
import classes from './AuthCard.module.css'

interface AuthCardProps {
  title: string
  hint?: ReactNode
  children: ReactNode
}

/** The sheet that holds a form of the sign-in pages. */
export function AuthCard({ title, hint, children }: AuthCardProps) {
  return (
    <Page width="narrow">
      <AuthHead title={title} hint={hint} />
      <Panel p="xl">{children}</Panel>
    </Page>
  )
}

export function AuthHead({ title, hint }: { title: string; hint?: ReactNode }) {
  return (
    <div className={classes.head}>
      <SiteLogo edge={56} alt="" className={classes.logo} />
      <Title order={1} size="h2">
        {title}
      </Title>
      {hint && (
        <Text c="dimmed" size="sm">
          {hint}
        </Text>
      )}
    </div>
  )
}
