import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { PasswordQuestion } from '../../../shared/share/PasswordQuestion.tsx'
import { unlockReverseShare } from '../api/unlock-reverse-share.ts'

/** Asks for the password of a link until it is right. */
export function LinkPasswordDialog({ token }: { token: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const look = () => queryClient.invalidateQueries({ queryKey: queryKeys.reverseShare(token) })
  const unlock = useMutation({
    mutationFn: (password: string) => unlockReverseShare(http, token, password),
    onSuccess: look,
    onError: (error) => {
      // Closed meanwhile: the page says so.
      if (hasCode(error, 'reverse_share_not_found') || hasCode(error, 'reverse_shares_disabled')) {
        void look()
      }
    },
  })
  const error = unlock.error
    ? hasCode(unlock.error, 'wrong_password', 'reverse_share_password_required')
      ? t('share.password.invalid')
      : errorMessage(unlock.error)
    : null

  return (
    <PasswordQuestion
      text={t('send.password.text')}
      submit={t('send.password.submit')}
      error={error}
      isBusy={unlock.isPending}
      onPassword={unlock.mutate}
      onChange={unlock.reset}
    />
  )
}
