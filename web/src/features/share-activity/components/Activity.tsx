import { Stack, Text, Title } from '@mantine/core'
import type { Downloadable, ShareActivity } from '@floe/contracts'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { EmptyState } from '../../../shared/components/EmptyState.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { paths } from '../../../shared/paths.ts'
import { useShareLink } from '../../../shared/share/use-share-link.ts'
import classes from './Activity.module.css'
import { ActivityPanel } from './ActivityPanel.tsx'
import { FileCounts } from './FileCounts.tsx'
import { Totals } from './Totals.tsx'

interface ActivityProps {
  activity: ShareActivity
  /** What the chart is about: `null` is the share. */
  file: Downloadable | null
  onFile: (file: Downloadable | null) => void
}

export function Activity({ activity, file, onFile }: ActivityProps) {
  const { t } = useTranslation()
  const { id, name, views, downloads } = activity
  const panel = useRef<HTMLDivElement>(null)
  const isUnseen = views.total === 0 && downloads.total === 0

  // Far down a long list the chart would change unseen.
  function choose(chosen: Downloadable | null) {
    onFile(chosen)
    if (chosen !== null) panel.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h2" className={classes.heading ?? ''}>
          {t('activity.heading', { name: name ?? id })}
        </Title>
        <PageLink to={paths.share(id)} className={classes.link}>
          <bdi>{id}</bdi>
        </PageLink>
      </div>
      {isUnseen ? (
        <Unseen activity={activity} />
      ) : (
        <>
          <Totals activity={activity} />
          <div ref={panel} className={classes.panel}>
            <ActivityPanel activity={activity} file={file} onFile={onFile} />
          </div>
          <FileCounts activity={activity} file={file} onFile={choose} />
        </>
      )}
      <Text size="sm" c="dimmed">
        {t('activity.privacy')}
      </Text>
    </Stack>
  )
}

/** A link without its key is none to send. */
function Unseen({ activity: { id, encrypted } }: { activity: ShareActivity }) {
  const { t } = useTranslation()
  const link = useShareLink(id)
  return (
    <EmptyState
      scene="quiet"
      title={t('activity.empty.title')}
      text={t('activity.empty.text')}
      action={
        !encrypted && (
          <div className={classes.unseen}>
            <CopyField label={t('share.link')} isLabelHidden value={link} />
          </div>
        )
      }
    />
  )
}
