import { ActionIcon } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../shared/notify.ts'
import type { Folder } from '../file-tree.ts'
import { useShareAddresses } from '../share-addresses.ts'
import { useArchiveState } from '../use-archive-state.ts'

interface FolderDownloadProps {
  shareId: string
  folder: Folder
  className?: string | undefined
}

/** A folder with all that is in it, as one archive. */
export function FolderDownload({ shareId, folder, className }: FolderDownloadProps) {
  const { t } = useTranslation()
  const { archive, isSaidByLinks } = useShareAddresses()
  const isReady = useArchiveState(shareId)?.isReady ?? false
  const label = t('share.folders.download', { name: folder.name })
  const look = {
    className: className ?? '',
    variant: 'light',
    size: 'lg',
    'aria-label': label,
    title: label,
  }
  const icon = <IconDownload size={18} />
  if (!isReady) {
    return (
      <ActionIcon {...look} onClick={() => notifyError(t('share.preparing'))}>
        {icon}
      </ActionIcon>
    )
  }
  return (
    <ActionIcon {...look} component="a" href={archive(shareId, folder)} download={isSaidByLinks}>
      {icon}
    </ActionIcon>
  )
}
