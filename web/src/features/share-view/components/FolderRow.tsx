import { UnstyledButton } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { RowPlace } from '../../../shared/components/VirtualRows.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { Folder } from '../file-tree.ts'
import classes from './FileTable.module.css'
import { FolderDownload } from './FolderDownload.tsx'

interface FolderRowProps extends Partial<RowPlace> {
  shareId: string
  folder: Folder
  /** Archives can be had. */
  isComplete: boolean
  onOpen: () => void
}

/** A folder in the list of another one. */
export function FolderRow({ shareId, folder, isComplete, onOpen, ...place }: FolderRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <tr {...place}>
      <td className={classes.name}>
        <UnstyledButton
          className={classes.open ?? ''}
          onClick={onOpen}
          aria-label={t('share.folders.open', { name: folder.name })}
        >
          <IconFolder className={classes.folder} size={20} aria-hidden="true" />
          <bdi>{folder.name}</bdi>
        </UnstyledButton>
      </td>
      <td className={classes.size}>{format.size(folder.sizeBytes)}</td>
      <td className={classes.actions}>
        <div className={classes.buttons}>
          <span className={classes.count}>
            {t('share.folders.count', { count: folder.fileCount })}
          </span>
          {isComplete && <FolderDownload shareId={shareId} folder={folder} />}
        </div>
      </td>
    </tr>
  )
}
