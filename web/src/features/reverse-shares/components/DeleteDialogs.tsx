import type { OwnReverseShare, ReceivedShare } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deleteShare } from '../../../shared/api/delete-share.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { deleteReverseShare } from '../api/delete-reverse-share.ts'

function useRemoval(remove: () => Promise<void>, done: string, onClose: () => void) {
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  return useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      onClose()
      notifySuccess(done)
      await queryClient.invalidateQueries({ queryKey: queryKeys.ownReverseShares })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
}

/** Says what goes with the link before it does. */
export function DeleteReverseShareDialog({
  reverseShare,
  onClose,
}: {
  reverseShare: OwnReverseShare
  onClose: () => void
}) {
  const { t } = useTranslation()
  const http = useHttp()
  const count = reverseShare.shares.length
  const remove = useRemoval(
    () => deleteReverseShare(http, reverseShare.id),
    t('reverseShares.delete.done'),
    onClose,
  )
  return (
    <ConfirmDialog
      opened
      title={t('reverseShares.delete.title', { name: reverseShare.name ?? reverseShare.token })}
      text={
        count === 0
          ? t('reverseShares.delete.textEmpty')
          : t('reverseShares.delete.text', { count })
      }
      action={t('common.delete')}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}

export function DeleteReceivedDialog({
  share,
  onClose,
}: {
  share: ReceivedShare
  onClose: () => void
}) {
  const { t } = useTranslation()
  const http = useHttp()
  const remove = useRemoval(() => deleteShare(http, share.id), t('myShares.deleted'), onClose)
  return (
    <ConfirmDialog
      opened
      title={t('myShares.deleteTitle', { name: share.name ?? share.id })}
      text={t('myShares.deleteText')}
      action={t('common.delete')}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}
