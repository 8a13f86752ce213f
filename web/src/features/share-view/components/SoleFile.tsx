import { Button } from '@mantine/core'
import { type PreviewKind, previewKindOf, type ShareView } from '@floe/contracts'
import { IconEye } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { apiPaths } from '../../../shared/paths.ts'
import type { FileLeaf } from '../file-tree.ts'
import { isRemoved } from '../../../shared/scan-note.ts'
import { useShareAddresses } from '../share-addresses.ts'
import { FilePreview } from './FilePreview.tsx'
import classes from './SoleFile.module.css'

/** The browser loads these to their end before they are seen. */
const loadedWhole: readonly PreviewKind[] = ['image', 'pdf']
/** From here on nobody's connection is used before they ask for it. */
const LARGE_BYTES = 10_000_000

/** The only file of a share, shown instead of listed; what is large waits until somebody asks. */
export function SoleFile({ share, file }: { share: ShareView; file: FileLeaf }) {
  const { t } = useTranslation()
  const format = useFormat()
  const addresses = useShareAddresses()
  const [isWanted, setIsWanted] = useState(false)
  const { name, sizeBytes, thumbnail } = file
  const kind = previewKindOf(name)
  const place = useMemo(() => {
    const fileName = share.files.find(({ id }) => id === file.id)?.name ?? name
    return { shareId: share.id, files: share.files, fileName }
  }, [share, file.id, name])
  if (kind === null || isRemoved(file.scan)) return null
  if (!isWanted && sizeBytes > LARGE_BYTES && loadedWhole.includes(kind)) {
    return (
      <div className={classes.stage}>
        {thumbnail && (
          <img
            className={classes.thumbnail}
            src={apiPaths.thumbnail(share.id, file.id)}
            width={thumbnail.width}
            height={thumbnail.height}
            alt=""
          />
        )}
        <Button
          variant="default"
          leftSection={<IconEye size={17} />}
          onClick={() => setIsWanted(true)}
        >
          {t('share.preview.show', { size: format.size(sizeBytes) })}
        </Button>
      </div>
    )
  }
  const address = `${addresses.file(share.id, file.id)}?download=false`
  return (
    <div className={classes.stage}>
      <FilePreview kind={kind} address={address} name={name} place={place} />
    </div>
  )
}
