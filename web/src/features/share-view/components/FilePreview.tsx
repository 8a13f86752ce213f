import { Skeleton } from '@mantine/core'
import type { PreviewKind } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fileTextQuery } from '../api/file-text.ts'
import classes from './PreviewDialog.module.css'
import type { Place } from './RichText.tsx'
import { TextPreview } from './TextPreview.tsx'
import { UnsupportedPreview } from './UnsupportedPreview.tsx'

interface FilePreviewProps {
  kind: PreviewKind
  address: string
  name: string
  place: Place
}

/** What can be seen of a file without saving it. Films and sounds load as they are played. */
export function FilePreview({ kind, address, name, place }: FilePreviewProps) {
  const [failed, setFailed] = useState(false)
  if (failed) return <UnsupportedPreview />
  const fail = () => setFailed(true)
  const views: Record<PreviewKind, () => ReactNode> = {
    image: () => <img className={classes.media} src={address} alt={name} onError={fail} />,
    // People's recordings come without captions.
    video: () => (
      <video className={classes.media} src={address} preload="metadata" controls onError={fail} />
    ),
    audio: () => (
      <audio className={classes.audio} src={address} preload="metadata" controls onError={fail} />
    ),
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
