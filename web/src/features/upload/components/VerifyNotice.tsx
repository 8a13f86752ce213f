import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { fetchOwnUser } from '../../../shared/api/fetch-own-user.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { requestEmailVerification } from '../api/request-email-verification.ts'

/** In place of the files of somebody who has not confirmed their address yet. */
export function VerifyNotice({ email }: { email: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const { changeUser } = useSession()
  // The link may be opened in another tab: asked again whenever somebody comes back to this one.
  const { data: own } = useQuery({
    queryKey: queryKeys.ownUser,
    queryFn: () => fetchOwnUser(http),
    refetchOnWindowFocus: 'always',
  })
  useEffect(() => {
    if (own && !own.mustVerifyEmail) changeUser(own)
  }, [own, changeUser])
  const sendAgain = useMutation({
    mutationFn: () => requestEmailVerification(http),
    onSuccess: () => notifySuccess(t('auth.reset.sent')),
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <DeadEnd
      scene="inbox"
      title={t('auth.verify.title')}
      text={t('upload.verify.text', { email })}
      action={
        <Group justify="center">
          <Button loading={sendAgain.isPending} onClick={() => sendAgain.mutate()}>
            {t('upload.verify.again')}
          </Button>
          <Button component={PageLink} to={paths.account} variant="default">
            {t('account.title')}
          </Button>
        </Group>
      }
    />
  )
}
