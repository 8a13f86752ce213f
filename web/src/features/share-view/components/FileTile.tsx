import { ActionIcon, UnstyledButton } from '@mantine/core'
import { type PreviewKind, previewKindOf, type ThumbnailSize } from '@floe/contracts'
import {
  IconDownload,
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconMovie,
  IconMusic,
  IconPhoto,
} from '@tabler/icons-react'
import { type CSSProperties, memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiPaths } from '../../../shared/paths.ts'
import type { FileLeaf } from '../file-tree.ts'
import classes from './FileTile.module.css'

/** Panoramas and strips would take a row, or all of its height, for themselves. */
const NARROWEST = 0.6
const WIDEST = 2

const icons: Partial<Record<PreviewKind, typeof IconFile>> = {
  image: IconPhoto,
  vector: IconPhoto,
  video: IconMovie,
  audio: IconMusic,
  pdf: IconFileTypePdf,
  markdown: IconFileText,
  text: IconFileText,
}

interface FileTileProps {
  shareId: string
  file: FileLeaf
  onPreview: (file: FileLeaf) => void
}

/**
 * One file of a gallery; its place has its shape before the picture is there. Remembered, because
 * a gallery may have thousands and changes with every preview.
 */
export const FileTile = memo(function FileTile({ shareId, file, onPreview }: FileTileProps) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const { name } = file
  const kind = previewKindOf(name)
  const Icon = (kind && icons[kind]) ?? IconFile
  const thumbnail = failed ? null : file.thumbnail
  const download = t('share.file.download', { name })
  return (
    <li
      className={classes.tile}
      data-picture={thumbnail ? true : undefined}
      style={{ '--ratio': ratioOf(file.thumbnail) } as CSSProperties}
    >
      <UnstyledButton
        className={classes.open ?? ''}
        onClick={() => onPreview(file)}
        title={name}
        aria-label={kind === null ? name : t('share.file.preview', { name })}
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
      <div className={classes.foot}>
        <bdi className={classes.name} aria-hidden="true">
          {name}
        </bdi>
        <ActionIcon
          component="a"
          href={apiPaths.file(shareId, file.id)}
          download
          className={classes.download ?? ''}
          variant="transparent"
          aria-label={download}
          title={download}
        >
          <IconDownload size={18} />
        </ActionIcon>
      </div>
    </li>
  )
})

/** Width to height. */
function ratioOf(thumbnail: ThumbnailSize | null): number {
  if (!thumbnail) return 1
  return Math.min(WIDEST, Math.max(NARROWEST, thumbnail.width / thumbnail.height))
}
