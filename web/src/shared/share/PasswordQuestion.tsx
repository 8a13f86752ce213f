import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/Dialog.tsx'
import { PasswordField } from '../components/PasswordField.tsx'

interface PasswordQuestionProps {
  text: string
  submit: string
  /** What was wrong with the last password. */
  error: string | null
  isBusy: boolean
  onPassword: (password: string) => void
  /** Another password is being typed. */
  onChange: () => void
}

/** Asks for the password of a link, and is not closed before it is right. */
export function PasswordQuestion(props: PasswordQuestionProps) {
  const { text, submit, error, isBusy, onPassword, onChange } = props
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  return (
    <Dialog
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('share.password.title')}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setIsMissing(password === '')
          if (password !== '') onPassword(password)
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {text}
          </Text>
          <PasswordField
            label={t('share.password.label')}
            value={password}
            error={isMissing ? t('share.password.required') : error}
            autoComplete="off"
            data-autofocus
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              setIsMissing(false)
              onChange()
            }}
          />
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
