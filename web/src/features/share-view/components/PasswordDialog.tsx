import type { PasswordLock, ShareKey } from '@floe/encryption'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PasswordQuestion } from '../../../shared/share/PasswordQuestion.tsx'
import { enterShare } from '../api/open-share.ts'

interface PasswordDialogProps {
  shareId: string
  /** Besides the password: what a recipient has shown. */
  entrance?: { email: string; code: string } | null
  /** With what opens the share, where it is encrypted. */
  onEntered: (openingKey: ShareKey | null) => void
  /** No password opens this share any more. */
  onRefused: (error: Error) => void
}

/** Asks for a share's password until it is right. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { shareId, entrance, onEntered, onRefused } = props
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const enter = useMutation({
    mutationFn: async (typed: string) => {
      const lock = await lockWith(typed)
      await enterShare(http, shareId, { password: lock?.gate ?? typed, ...entrance })
      return lock?.openingKey ?? null
    },
    onSuccess: onEntered,
    onError: (error) => {
      if (
        hasCode(
          error,
          'share_max_views_exceeded',
          'share_not_found',
          'share_removed',
          'invalid_share_code',
        )
      ) {
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
    <PasswordQuestion
      text={t('share.password.text')}
      submit={t('share.password.submit')}
      error={error}
      isBusy={enter.isPending}
      onPassword={enter.mutate}
      onChange={enter.reset}
    />
  )
}

/**
 * Where the link has a key, the password never leaves: not either where the link does not speak of
 * one, as it may have been cut, and a server could ask for what it wants to know.
 */
async function lockWith(password: string): Promise<PasswordLock | null> {
  const { hash, href } = window.location
  if (hash === '') return null
  const { lockOfLink } = await import('../../../shared/encryption/lock.ts')
  return lockOfLink(href, password)
}
