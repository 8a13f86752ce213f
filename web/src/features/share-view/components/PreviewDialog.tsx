import { Button, Group, Skeleton } from '@mantine/core'
import { type PreviewKind, previewKindOf, type ShareView } from '@floe/contracts'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { apiPaths } from '../../../shared/paths.ts'
import { fileTextQuery } from '../api/file-text.ts'
import type { FileLeaf } from '../file-tree.ts'
import { FileSteps } from './FileSteps.tsx'
import classes from './PreviewDialog.module.css'
import type { Place } from './RichText.tsx'
import { TextPreview } from './TextPreview.tsx'
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
  const address = apiPaths.file(share.id, file.id)
  const inline = `${address}?download=false`
  const kind = previewKindOf(file.name)
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
        {kind === null ? (
          <UnsupportedPreview />
        ) : (
          <Preview key={file.id} kind={kind} address={inline} name={file.name} place={place} />
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
          <Button component="a" href={address} download leftSection={<IconDownload size={17} />}>
            {t('share.preview.download')}
          </Button>
        </Group>
      </div>
    </Dialog>
  )
}

interface PreviewProps {
  kind: PreviewKind
  address: string
  name: string
  place: Place
}

function Preview({ kind, address, name, place }: PreviewProps) {
  const [failed, setFailed] = useState(false)
  if (failed) return <UnsupportedPreview />
  const fail = () => setFailed(true)
  const views: Record<PreviewKind, () => ReactNode> = {
    image: () => <img className={classes.media} src={address} alt={name} onError={fail} />,
    // People's recordings come without captions.
    video: () => <video className={classes.media} src={address} controls onError={fail} />,
    audio: () => <audio className={classes.audio} src={address} controls onError={fail} />,
    pdf: () => <iframe className={classes.frame} src={address} title={name} />,
    vector: () => <VectorPreview address={address} name={name} onFail={fail} />,
    markdown: () => <TextPreview kind="markdown" address={address} place={place} />,
    text: () => <TextPreview kind="text" address={address} place={place} />,
  }
  return views[kind]()
}

interface VectorPreviewProps {
  address: string
  name: string
  onFail: () => void
}

/**
 * The server sends a drawing as text only, because as a document it could run scripts. As an image
 * it cannot, and a `data:` address keeps it out of the site's origin even in a tab of its own.
 */
function VectorPreview({ address, name, onFail }: VectorPreviewProps) {
  const { data, isError } = useQuery(fileTextQuery(address))
  if (isError || data?.isCut) return <UnsupportedPreview />
  if (!data) return <Skeleton height={240} radius="md" />
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.text)}`
  return <img className={classes.media} src={picture} alt={name} onError={onFail} />
}
