import type { ApiToken } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../api/api-error.ts'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { notifyError } from '../notify.ts'
import { queryKeys } from '../query-keys.ts'
import { revokeToken } from './tokens.ts'

interface RevokeTokenDialogProps {
  /** Whose it is; `null` for the own ones. */
  userId: string | null
  token: ApiToken
  onClose: () => void
}

/** Asks before a token ends, since what uses it ends with it. */
export function RevokeTokenDialog({ userId, token, onClose }: RevokeTokenDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const revoke = useMutation({
    mutationFn: () => revokeToken(http, token.id),
    onError: (error) => {
      // Revoked meanwhile: that is what was wanted.
      if (!hasCode(error, 'token_not_found')) notifyError(errorMessage(error))
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.tokens(userId) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('account.tokens.revokeTitle', { name: token.name })}
      text={t('account.tokens.revokeText')}
      action={t('account.tokens.revoke')}
      isBusy={revoke.isPending}
      onClose={onClose}
      onConfirm={() => revoke.mutate()}
    />
  )
}
