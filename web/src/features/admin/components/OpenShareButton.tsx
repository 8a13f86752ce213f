import { ActionIcon } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { notifyError } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { openAsAdministrator } from '../api/open-share.ts'

/** Opens a share of somebody else, and says that this is written down. */
export function OpenShareButton({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const open = useMutation({
    mutationFn: () => openAsAdministrator(http, shareId),
    // As a document of its own: what this page knew of the share is from before it was let in.
    onSuccess: () => window.location.assign(paths.share(shareId)),
    onError: (error) => notifyError(errorMessage(error)),
  })
  const label = t('admin.shares.open', { name: shareId })
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      aria-label={label}
      title={label}
      loading={open.isPending}
      onClick={() => open.mutate()}
    >
      <IconEye size={18} />
    </ActionIcon>
  )
}
