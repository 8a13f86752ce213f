import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import type { UserView } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { updateOwnUser } from '../api/update-own-user.ts'

/** Whether visitors are told who sent them a share. Counts at once. */
export function ShowNameSwitch({ own }: { own: UserView | undefined }) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const change = useMutation({
    mutationFn: (showName: boolean) => updateOwnUser(http, { showName }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKeys.ownUser, changed)
      notifySuccess(t('account.info.saved'))
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  const isShown = change.isPending ? change.variables : own?.showName
  return (
    <Switch
      mt="lg"
      label={t('account.info.showName')}
      description={t('account.info.showNameHint', { username: own?.username ?? '' })}
      checked={isShown ?? false}
      disabled={isShown === undefined}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}
