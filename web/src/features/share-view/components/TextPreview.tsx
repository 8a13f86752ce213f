import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../shared/components/CopyButton.tsx'
import { fileTextQuery } from '../api/file-text.ts'
import { richTextQuery } from '../rich-text/rich-text-query.ts'
import type { Place } from './RichText.tsx'
import classes from './TextPreview.module.css'
import { UnsupportedPreview } from './UnsupportedPreview.tsx'

const RichText = lazy(() =>
  import('./RichText.tsx').then(({ RichText }) => ({ default: RichText })),
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
  // Whoever waits for a document is not shown its source first.
  if (text === undefined || (kind === 'markdown' && rich.isPending)) {
    return <Skeleton height={240} radius="md" />
  }
  const tree = rich.data ?? null
  const isDocument = kind === 'markdown' && tree !== null && !asSource
  const plain = (
    <pre className={classes.text} tabIndex={0}>
      {text}
    </pre>
  )
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
      {tree === null || asSource ? (
        plain
      ) : (
        <Suspense fallback={plain}>
          {isDocument ? (
            <article className={classes.document} dir="auto" tabIndex={0}>
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
      )}
      {file.data?.isCut && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('share.preview.cut')}
        </Text>
      )}
    </div>
  )
}
