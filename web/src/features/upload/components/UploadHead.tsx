import { Button, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './UploadHead.module.css'

export interface UploadHeadProps {
  heading: string
  submit: { label: string; icon: ReactNode }
  disabled: boolean
  onSubmit?: () => void
}

/** The heading, beside the button that makes a share of the files below it. */
export function UploadHead({ heading, submit, disabled, onSubmit }: UploadHeadProps) {
  return (
    <Group justify="space-between" align="flex-start">
      <Title order={1} size="h2" className={classes.heading}>
        <bdi>{heading}</bdi>
      </Title>
      <Button
        className={classes.submit}
        leftSection={submit.icon}
        aria-keyshortcuts="s"
        disabled={disabled}
        onClick={onSubmit}
      >
        {submit.label}
      </Button>
    </Group>
  )
}
