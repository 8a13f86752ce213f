import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { CopyButton } from '../../../shared/components/CopyButton.tsx'
import { fileTextQuery } from '../api/file-text.ts'
import document from '../../../shared/markdown/Document.module.css'
import type { RichText as RichTextTree } from '../rich-text/to-rich-text.ts'
import { richTextQuery } from '../rich-text/rich-text-query.ts'
import type { Place } from './RichText.tsx'
import classes from './TextPreview.module.css'
import { UnsupportedPreview } from './UnsupportedPreview.tsx'

const RichText = lazyPart(
  () => import('./RichText.tsx'),
  ({ RichText }) => RichText,
)

interface TextPreviewProps {
  kind: 'markdown' | 'text'
  address: string
  place: Place
}

/** A text as it is at once; with colours, or as the document it describes, a moment later. */
export function TextPreview({ kind, address, place }: TextPreviewProps) {
  const { t } = useTranslation()
  const [asSource, setAsSource] = useState(false)
  const file = useQuery(fileTextQuery(address))
  const text = file.data?.text
  const { fileName } = place
  const rich = useQuery(
    richTextQuery(address, text === undefined ? null : { kind, fileName, text }),
  )
  if (file.isError) return <UnsupportedPreview />
  // The source of a document must not show first for a moment.
  if (text === undefined || (kind === 'markdown' && rich.isPending)) {
    return <TextSkeleton />
  }
  const tree = rich.data ?? null
  return (
    <div className={classes.box}>
      <div className={classes.tools}>
        {kind === 'markdown' && tree !== null && (
          <Button size="compact-sm" variant="subtle" onClick={() => setAsSource(!asSource)}>
            {t(asSource ? 'share.preview.showDocument' : 'share.preview.showSource')}
          </Button>
        )}
        <CopyButton label={t('share.preview.copy')} text={text} />
      </div>
      <RenderedText kind={kind} text={text} tree={asSource ? null : tree} place={place} />
      {file.data?.isCut && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('share.preview.cut')}
        </Text>
      )}
    </div>
  )
}

function TextSkeleton() {
  return <Skeleton height={240} radius="md" />
}

interface RenderedTextProps {
  kind: 'markdown' | 'text'
  text: string
  /** What the text describes, `null` to show it as it is. */
  tree: RichTextTree | null
  place: Place
}

function RenderedText({ kind, text, tree, place }: RenderedTextProps) {
  const plain = (
    <pre className={classes.text} tabIndex={0}>
      {text}
    </pre>
  )
  if (tree === null) return plain
  return (
    <Suspense fallback={kind === 'markdown' ? <TextSkeleton /> : plain}>
      {kind === 'markdown' ? (
        <article className={`${document.document} ${classes.document}`} dir="auto" tabIndex={0}>
          <RichText tree={tree} place={place} />
        </article>
      ) : (
        <pre className={classes.text} tabIndex={0}>
          <code>
            <RichText tree={tree} place={place} />
          </code>
        </pre>
      )}
    </Suspense>
  )
}
