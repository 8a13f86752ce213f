import type { UserView } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { notifyError } from '../../../shared/notify.ts'
import { deleteUser } from '../api/users.ts'
import { useUserMutation } from '../use-user-mutation.ts'

export function DeleteUserDialog({ user, onClose }: { user: UserView; onClose: () => void }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const remove = useUserMutation({
    run: () => deleteUser(http, user.id),
    done: t('admin.users.deleted'),
    onClose,
  })
  return (
    <ConfirmDialog
      opened
      title={t('admin.users.deleteTitle', { name: user.username })}
      text={t('admin.users.deleteText')}
      action={t('common.delete')}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, { onError: (error) => notifyError(errorMessage(error)) })
      }
    />
  )
}
