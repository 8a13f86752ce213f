import { UnstyledButton } from '@mantine/core'
import { previewKindOf, type ShareView } from '@floe/contracts'
import { IconSquare, IconSquareCheckFilled } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { memo } from 'react'
import { RowButton, RowDownload } from '../../../shared/components/RowButton.tsx'
import type { RowPlace } from '../../../shared/components/VirtualRows.tsx'
import type { Format } from '../../../shared/format/use-format.ts'
import type { FileLeaf } from '../file-tree.ts'
import { isRemoved } from '../../../shared/scan-note.ts'
import { useShareAddresses } from '../share-addresses.ts'
import { FileIcon } from './FileIcon.tsx'
import classes from './FileTable.module.css'
import { ScanNote } from './ScanNote.tsx'

interface FileButtonsProps {
  file: FileLeaf
  share: ShareView
  onPreview: (file: FileLeaf) => void
  onCopyLink: (file: FileLeaf) => Promise<void>
  onDetails: (file: FileLeaf) => void
  t: TFunction
}

interface FileRowProps extends FileButtonsProps, Partial<RowPlace> {
  /** `null` while nobody is choosing. */
  isChosen: boolean | null
  onToggle: (fileId: string) => void
  format: Format
}

/** Remembered: scrolling draws the rows around it. */
export const FileRow = memo(function FileRow(props: FileRowProps) {
  const { file, share, isChosen, onToggle, format, ...others } = props
  const { onPreview, onCopyLink, onDetails, t, ...place } = others
  return (
    <tr {...place} data-chosen={isChosen ?? undefined}>
      <td className={classes.name}>
        {isChosen === null ? (
          <UnstyledButton
            className={classes.open ?? ''}
            onClick={() => onPreview(file)}
            title={file.name}
          >
            <FileIcon shareId={share.id} file={file} />
            <bdi>{file.name}</bdi>
          </UnstyledButton>
        ) : (
          <UnstyledButton
            className={classes.open ?? ''}
            role="checkbox"
            aria-checked={isChosen}
            aria-label={t('share.choose.file', { name: file.name })}
            onClick={() => onToggle(file.id)}
            title={file.name}
          >
            <Mark isChosen={isChosen} />
            <bdi>{file.name}</bdi>
          </UnstyledButton>
        )}
        <ScanNote scan={file.scan} />
      </td>
      <td className={classes.size}>{format.size(file.sizeBytes)}</td>
      <td className={classes.actions}>
        <FileButtons {...{ file, share, onPreview, onCopyLink, onDetails, t }} />
      </td>
    </tr>
  )
})

function Mark({ isChosen }: { isChosen: boolean }) {
  const Icon = isChosen ? IconSquareCheckFilled : IconSquare
  return <Icon className={classes.mark} size={20} aria-hidden="true" />
}

/** Remembered: choosing files leaves them as they are, out of sight. */
const FileButtons = memo(function FileButtons(props: FileButtonsProps) {
  const { file, share, onPreview, onCopyLink, onDetails, t } = props
  const addresses = useShareAddresses()
  const { name } = file
  const isThere = !isRemoved(file.scan)
  return (
    <div className={classes.buttons} data-of="file">
      {isThere && previewKindOf(name) !== null && (
        <RowButton
          icon="preview"
          label={t('share.file.preview', { name })}
          isAccented
          onClick={() => onPreview(file)}
        />
      )}
      {isThere && !share.hasPassword && !share.encrypted && (
        <RowButton
          icon="copyLink"
          label={t('share.file.copyLink', { name })}
          isAccented
          onClick={() => void onCopyLink(file)}
        />
      )}
      <RowButton
        icon="details"
        label={t('share.file.details', { name })}
        isAccented
        onClick={() => onDetails(file)}
      />
      {isThere && (
        <RowDownload
          label={t('share.file.download', { name })}
          address={addresses.file(share.id, file.id)}
          download={addresses.isSaidByLinks}
        />
      )}
    </div>
  )
})
