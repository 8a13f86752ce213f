import { Button, Group, Skeleton, Text } from '@mantine/core'
import { type PreviewKind, previewKindOf, type ShareView } from '@floe/contracts'
import { IconDownload, IconExternalLink, IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { apiPaths } from '../../../shared/paths.ts'
import { fileTextQuery } from '../api/file-text.ts'
import type { FileLeaf } from '../file-tree.ts'
import { FileSteps } from './FileSteps.tsx'
import classes from './PreviewDialog.module.css'

interface PreviewDialogProps {
  share: ShareView
  /** Of the same folder, in the order they are listed. */
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
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      title={<bdi className={classes.title}>{file.name}</bdi>}
    >
      <div className={classes.stage} data-several={files.length > 1 || undefined}>
        {kind === null ? (
          <Unsupported />
        ) : (
          <Preview key={file.id} kind={kind} address={inline} name={file.name} />
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
}

function Preview({ kind, address, name }: PreviewProps) {
  const [failed, setFailed] = useState(false)
  if (failed) return <Unsupported />
  const fail = () => setFailed(true)
  const views: Record<PreviewKind, () => ReactNode> = {
    image: () => <img className={classes.media} src={address} alt={name} onError={fail} />,
    // People's recordings come without captions.
    video: () => <video className={classes.media} src={address} controls onError={fail} />,
    audio: () => <audio className={classes.audio} src={address} controls onError={fail} />,
    pdf: () => <iframe className={classes.frame} src={address} title={name} />,
    vector: () => <VectorPreview address={address} name={name} onFail={fail} />,
    markdown: () => <TextPreview address={address} />,
    text: () => <TextPreview address={address} />,
  }
  return views[kind]()
}

function TextPreview({ address }: { address: string }) {
  const { t } = useTranslation()
  const { data, isError } = useQuery(fileTextQuery(address))
  if (isError) return <Unsupported />
  if (!data) return <Skeleton height={240} radius="md" />
  return (
    <div className={classes.textBox}>
      <pre className={classes.text} tabIndex={0}>
        {data.text}
      </pre>
      {data.isCut && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('share.preview.cut')}
        </Text>
      )}
    </div>
  )
}

interface VectorPreviewProps {
  address: string
  name: string
  onFail: () => void
}

/**
 * The server shows a drawing as text only, for as a document it could act. As an image it cannot,
 * and by a `data:` address it stays out of the site's origin even in a tab of its own.
 */
function VectorPreview({ address, name, onFail }: VectorPreviewProps) {
  const { data, isError } = useQuery(fileTextQuery(address))
  if (isError || data?.isCut) return <Unsupported />
  if (!data) return <Skeleton height={240} radius="md" />
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.text)}`
  return <img className={classes.media} src={picture} alt={name} onError={onFail} />
}

function Unsupported() {
  const { t } = useTranslation()
  return (
    <div className={classes.unsupported}>
      <IconEyeOff size={34} stroke={1.4} aria-hidden="true" />
      <Text fw={600}>{t('share.preview.unsupported')}</Text>
      <Text size="sm" c="dimmed">
        {t('share.preview.unsupportedHint')}
      </Text>
    </div>
  )
}
