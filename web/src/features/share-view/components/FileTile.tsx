import { ActionIcon, UnstyledButton } from '@mantine/core'
import { previewKindOf, type ThumbnailSize } from '@floe/contracts'
import { IconCheck, IconDownload } from '@tabler/icons-react'
import { type CSSProperties, memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiPaths } from '../../../shared/paths.ts'
import type { FileLeaf } from '../file-tree.ts'
import { isRemoved } from '../../../shared/scan-note.ts'
import { kindIconOf } from '../kind-icon.ts'
import { useShareAddresses } from '../share-addresses.ts'
import classes from './FileTile.module.css'
import { ScanNote } from './ScanNote.tsx'

/** Panoramas and strips would take a row, or all of its height, for themselves. */
const NARROWEST = 0.6
const WIDEST = 2

interface FileTileProps {
  shareId: string
  file: FileLeaf
  /** `null` while nobody is choosing. */
  isChosen: boolean | null
  onPreview: (file: FileLeaf) => void
  onToggle: (fileId: string) => void
}

/**
 * One file of a gallery; its place has its shape before the picture is there. Remembered, because
 * a gallery may have thousands and changes with every preview.
 */
export const FileTile = memo(function FileTile(props: FileTileProps) {
  const { shareId, file, isChosen, onPreview, onToggle } = props
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const addresses = useShareAddresses()
  const { name } = file
  const kind = previewKindOf(name)
  const Icon = kindIconOf(name)
  const isThere = !isRemoved(file.scan)
  const thumbnail = failed || !isThere ? null : file.thumbnail
  const isOffered = isChosen === null && isThere
  return (
    <li
      className={classes.tile}
      data-picture={thumbnail ? true : undefined}
      data-chosen={isChosen ?? undefined}
      style={{ '--ratio': ratioOf(file.thumbnail) } as CSSProperties}
    >
      <UnstyledButton
        className={classes.open ?? ''}
        title={name}
        {...(isChosen === null
          ? {
              onClick: () => onPreview(file),
              'aria-label': kind === null ? name : t('share.file.preview', { name }),
            }
          : {
              onClick: () => onToggle(file.id),
              role: 'checkbox',
              'aria-checked': isChosen,
              'aria-label': t('share.choose.file', { name }),
            })}
      >
        {thumbnail ? (
          <img
            className={classes.picture}
            src={apiPaths.thumbnail(shareId, file.id)}
            width={thumbnail.width}
            height={thumbnail.height}
            alt=""
            loading="lazy"
            decoding="async"
            onError={() => setFailed(true)}
          />
        ) : (
          <Icon className={classes.icon} size={38} stroke={1.3} aria-hidden="true" />
        )}
      </UnstyledButton>
      {isChosen !== null && (
        <span className={classes.mark} aria-hidden="true">
          {isChosen && <IconCheck size={16} stroke={3} />}
        </span>
      )}
      <ScanNote scan={file.scan} />
      <TileFoot name={name} address={isOffered ? addresses.file(shareId, file.id) : null} />
    </li>
  )
})

/** The name, and the way to the file itself unless files are being chosen. */
function TileFoot({ name, address }: { name: string; address: string | null }) {
  const { t } = useTranslation()
  const { isSaidByLinks } = useShareAddresses()
  const label = t('share.file.download', { name })
  return (
    <div className={classes.foot}>
      <bdi className={classes.name} aria-hidden="true">
        {name}
      </bdi>
      {address !== null && (
        <ActionIcon
          component="a"
          href={address}
          download={isSaidByLinks}
          className={classes.download ?? ''}
          variant="transparent"
          aria-label={label}
          title={label}
        >
          <IconDownload size={18} />
        </ActionIcon>
      )}
    </div>
  )
}

/** Width to height. */
function ratioOf(thumbnail: ThumbnailSize | null): number {
  if (!thumbnail) return 1
  return Math.min(WIDEST, Math.max(NARROWEST, thumbnail.width / thumbnail.height))
}
