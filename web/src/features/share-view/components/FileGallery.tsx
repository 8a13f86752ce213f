import { Button } from '@mantine/core'
import type { ShareView } from '@floe/contracts'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { type FileLeaf, type Folder, sortItems } from '../file-tree.ts'
import type { Choice } from '../use-choice.ts'
import classes from './FileGallery.module.css'
import { FileTile } from './FileTile.tsx'
import { FolderTile } from './FolderTile.tsx'

const PreviewDialog = lazyPart(
  () => import('./PreviewDialog.tsx'),
  ({ PreviewDialog }) => PreviewDialog,
)

const TILES_AT_ONCE = 60
const byName = { by: 'name', descending: false } as const

interface FileGalleryProps {
  share: ShareView
  folder: Folder
  onOpenFolder: (path: string) => void
  choice: Choice
}

/** The pictures of one folder in rows of equal height, each in its own shape; folders first. */
export function FileGallery({ share, folder, onOpenFolder, choice }: FileGalleryProps) {
  const { i18n } = useTranslation()
  const [limit, setLimit] = useState(TILES_AT_ONCE)
  const [preview, setPreview] = useState<FileLeaf | null>(null)
  const folders = sortItems(folder.folders.values(), byName, i18n.language)
  const files = useMemo(
    () => sortItems(folder.files, byName, i18n.language),
    [folder, i18n.language],
  )

  return (
    <div className={classes.gallery}>
      {folders.length > 0 && (
        <ul className={classes.folders}>
          {folders.map((item) => (
            <FolderTile
              key={item.path}
              shareId={share.id}
              folder={item}
              onOpen={() => onOpenFolder(item.path)}
            />
          ))}
        </ul>
      )}
      <ul className={classes.files}>
        {files.slice(0, limit).map((file) => (
          <FileTile
            key={file.id}
            shareId={share.id}
            file={file}
            isChosen={choice.chosen?.has(file.id) ?? null}
            onPreview={setPreview}
            onToggle={choice.toggle}
          />
        ))}
      </ul>
      {files.length > limit && (
        <More count={files.length - limit} onMore={() => setLimit(limit + TILES_AT_ONCE)} />
      )}
      <Suspense>
        {preview && (
          <PreviewDialog
            share={share}
            files={files}
            file={preview}
            onFile={setPreview}
            onClose={() => setPreview(null)}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Shows more before the end comes into sight; a visitor who scrolls faster finds a button. */
function More({ count, onMore }: { count: number; onMore: () => void }) {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onMore(),
      { rootMargin: '1500px 0px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [onMore])

  return (
    <div ref={end} className={classes.more}>
      <Button variant="default" onClick={onMore}>
        {t('share.folders.more', { count })}
      </Button>
    </div>
  )
}
