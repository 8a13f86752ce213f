import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/PasswordInput.layer.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { queryKeys } from '../../../shared/query-keys.ts'
import { unlockReverseShare } from '../api/unlock-reverse-share.ts'

/** Asks for the password of a link until it is right. */
export function LinkPasswordDialog({ token }: { token: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const [password, setPassword] = useState('')
  const look = () => queryClient.invalidateQueries({ queryKey: queryKeys.reverseShare(token) })
  const unlock = useMutation({
    mutationFn: () => unlockReverseShare(http, token, password),
    onSuccess: look,
    onError: (error) => {
      // Closed meanwhile: the page says so.
      if (hasCode(error, 'reverse_share_not_found')) void look()
    },
  })
  const error = unlock.error
    ? hasCode(unlock.error, 'wrong_password', 'reverse_share_password_required')
      ? t('share.password.invalid')
      : errorMessage(unlock.error)
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
          unlock.mutate()
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('send.password.text')}
          </Text>
          <PasswordInput
            label={t('share.password.label')}
            value={password}
            error={error}
            autoComplete="off"
            data-autofocus
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              unlock.reset()
            }}
          />
          <Button type="submit" loading={unlock.isPending}>
            {t('send.password.submit')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
