import type { AdminShare } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../api/api-error.ts'
import { deleteShare } from '../api/delete-share.ts'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { notifyError, notifySuccess } from '../notify.ts'

const AT_ONCE = 5

interface DeleteSharesDialogProps {
  shares: readonly Pick<AdminShare, 'id' | 'name'>[]
  onClose: () => void
  onDeleted: () => void
}

/** Deletes one share or many, of any account. */
export function DeleteSharesDialog({ shares, onClose, onDeleted }: DeleteSharesDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const remove = useMutation({
    mutationFn: async () => {
      const left = shares.map(({ id }) => id)
      const removeNext = async () => {
        for (let id = left.pop(); id !== undefined; id = left.pop()) {
          await deleteShare(http, id).catch((error: unknown) => {
            // Gone is what it was to be.
            if (!hasCode(error, 'share_not_found')) throw error
          })
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, removeNext))
    },
    onSuccess: () => {
      onClose()
      onDeleted()
      const count = shares.length
      notifySuccess(count === 1 ? t('myShares.deleted') : t('admin.shares.deleted', { count }))
    },
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['shares'] }),
  })
  const [only] = shares
  return (
    <ConfirmDialog
      opened
      title={
        shares.length === 1
          ? t('myShares.deleteTitle', { name: only?.name ?? only?.id })
          : t('admin.shares.deleteTitle', { count: shares.length })
      }
      text={t('admin.shares.deleteText', { count: shares.length })}
      action={t('common.delete')}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}
