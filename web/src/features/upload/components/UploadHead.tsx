import { Button, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './UploadHead.module.css'

export interface UploadHeadProps {
  heading: string
  submit: Submit
}

/** What makes a share of the files. */
export interface Submit {
  label: string
  icon: ReactNode
}

/** The heading, beside the button that has nothing to share before files are chosen. */
export function UploadHead({ heading, submit }: UploadHeadProps) {
  return (
    <Group justify="space-between" align="flex-start">
      <Title order={1} size="h2" className={classes.heading}>
        <bdi>{heading}</bdi>
      </Title>
      <Button className={classes.submit} leftSection={submit.icon} disabled>
        {submit.label}
      </Button>
    </Group>
  )
}
