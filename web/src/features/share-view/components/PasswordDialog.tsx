import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { enterShare } from '../api/open-share.ts'

interface PasswordDialogProps {
  shareId: string
  onEntered: () => void
  /** No password opens this share any more. */
  onRefused: (error: Error) => void
}

/** Asks for a share's password until it is right. */
export function PasswordDialog({ shareId, onEntered, onRefused }: PasswordDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [password, setPassword] = useState('')
  const enter = useMutation({
    mutationFn: () => enterShare(http, shareId, password),
    onSuccess: onEntered,
    onError: (error) => {
      if (hasCode(error, 'share_max_views_exceeded', 'share_not_found', 'share_removed')) {
        onRefused(error)
      }
    },
  })
  const error = enter.error
    ? hasCode(enter.error, 'wrong_password')
      ? t('share.password.invalid')
      : errorMessage(enter.error)
    : null

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
          enter.mutate()
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('share.password.text')}
          </Text>
          <PasswordInput
            label={t('share.password.label')}
            value={password}
            error={error}
            autoComplete="off"
            data-autofocus
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              enter.reset()
            }}
          />
          <Button type="submit" loading={enter.isPending}>
            {t('share.password.submit')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
