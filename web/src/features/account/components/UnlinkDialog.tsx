import type { SocialProvider } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { hasCode, RedirectedError } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { providerNames } from '../../../shared/social/provider-names.ts'
import { unlinkSocialAccount } from '../api/unlink-social-account.ts'

interface UnlinkDialogProps {
  provider: SocialProvider
  hasPassword: boolean
  /** Without it nobody could sign in any more, as far as this page knows. */
  isLastWay: boolean
  onClose: () => void
}

/** Asks before an account elsewhere is unlinked, and harder before the last way in goes. */
export function UnlinkDialog({ provider, hasPassword, isLastWay, onClose }: UnlinkDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const [mustWarn, setMustWarn] = useState(isLastWay)
  const name = providerNames[provider]
  const textKey = mustWarn
    ? 'account.social.unlinkLastText'
    : hasPassword
      ? 'account.social.unlinkTextPassword'
      : 'account.social.unlinkText'
  const unlink = useMutation({
    mutationFn: () => unlinkSocialAccount(http, provider, { confirm: mustWarn }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.socialLinks })
      notifySuccess(t('account.social.unlinked', { provider: name }))
      onClose()
    },
    onError: (error) => {
      if (hasCode(error, 'last_sign_in_method')) setMustWarn(true)
      else if (error instanceof RedirectedError) {
        // Another tab or device was faster.
        void queryClient.invalidateQueries({ queryKey: queryKeys.socialLinks })
        void navigate(paths.socialError('not_linked', provider, paths.account))
      } else notifyError(errorMessage(error))
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('account.social.unlinkTitle', { provider: name })}
      text={t(textKey, { provider: name })}
      action={t(mustWarn ? 'account.social.unlinkLast' : 'account.social.unlink')}
      isBusy={unlink.isPending}
      onClose={onClose}
      onConfirm={() => unlink.mutate()}
    />
  )
}
