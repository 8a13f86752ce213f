import { Button, Group } from '@mantine/core'
import { previewKindOf, type ShareView } from '@floe/contracts'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import type { FileLeaf } from '../file-tree.ts'
import { isRemoved } from '../../../shared/scan-note.ts'
import { useShareAddresses } from '../share-addresses.ts'
import { FilePreview } from './FilePreview.tsx'
import { FileSteps } from './FileSteps.tsx'
import classes from './PreviewDialog.module.css'
import { ScanNote } from './ScanNote.tsx'
import { UnsupportedPreview } from './UnsupportedPreview.tsx'

interface PreviewDialogProps {
  share: ShareView
  /** The files of its folder, in the order they are listed. */
  files: readonly FileLeaf[]
  file: FileLeaf
  onFile: (file: FileLeaf) => void
  onClose: () => void
}

/** A look at one file after another without downloading them. */
export function PreviewDialog({ share, files, file, onFile, onClose }: PreviewDialogProps) {
  const { t } = useTranslation()
  const addresses = useShareAddresses()
  const address = addresses.file(share.id, file.id)
  const inline = `${address}?download=false`
  const isThere = !isRemoved(file.scan)
  const kind = isThere ? previewKindOf(file.name) : null
  const place = useMemo(() => {
    const fileName = share.files.find(({ id }) => id === file.id)?.name ?? file.name
    return { shareId: share.id, files: share.files, fileName }
  }, [share, file])
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      title={<bdi className={classes.title}>{file.name}</bdi>}
    >
      <div className={classes.stage} data-several={files.length > 1 || undefined}>
        {!isThere ? (
          <ScanNote scan={file.scan} />
        ) : kind === null ? (
          <UnsupportedPreview />
        ) : (
          <FilePreview key={file.id} kind={kind} address={inline} name={file.name} place={place} />
        )}
      </div>
      <div className={classes.foot}>
        <FileSteps files={files} file={file} onFile={onFile} />
        <Group gap="sm" className={classes.actions}>
          {kind !== null && (
            <Button
              component="a"
              href={inline}
              target="_blank"
              rel="noreferrer"
              variant="default"
              leftSection={<IconExternalLink size={17} />}
            >
              {t('share.preview.open')}
            </Button>
          )}
          {isThere && (
            <Button
              component="a"
              href={address}
              download={addresses.isSaidByLinks}
              leftSection={<IconDownload size={17} />}
            >
              {t('share.preview.download')}
            </Button>
          )}
        </Group>
      </div>
    </Dialog>
  )
}
