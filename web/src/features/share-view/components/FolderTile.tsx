import { UnstyledButton } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Folder } from '../file-tree.ts'
import { FolderDownload } from './FolderDownload.tsx'
import classes from './FolderTile.module.css'

interface FolderTileProps {
  shareId: string
  folder: Folder
  onOpen: () => void
}

export function FolderTile({ shareId, folder, onOpen }: FolderTileProps) {
  const { t } = useTranslation()
  const { name, fileCount } = folder
  return (
    <li className={classes.folder}>
      <UnstyledButton
        className={classes.open ?? ''}
        onClick={onOpen}
        title={name}
        aria-label={t('share.folders.open', { name })}
      >
        <IconFolder className={classes.icon} size={22} aria-hidden="true" />
        <bdi className={classes.name}>{name}</bdi>
      </UnstyledButton>
      <span className={classes.count}>{t('share.folders.count', { count: fileCount })}</span>
      <FolderDownload shareId={shareId} folder={folder} className={classes.download} />
    </li>
  )
}
