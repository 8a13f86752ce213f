import { Button, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useShareLink } from '../../../shared/share/use-share-link.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { useJobStage } from '../../../shared/upload/use-upload-job.ts'
import classes from './EarlyLink.module.css'
import { FinishedLink } from './FinishedLink.tsx'

/** Offers the link of a share before everything is there, and then stands here with it. */
export function EarlyLink({ job }: { job: UploadJob }) {
  const { t } = useTranslation()
  const stage = useJobStage(job)
  if (stage.name === 'uploading' && stage.opened !== null) return <Opened {...stage.opened} />
  const isOffered = stage.name === 'uploading' && stage.canOpen
  if (!isOffered && stage.name !== 'opening') return null
  return (
    <Panel p="md">
      <div className={classes.offer}>
        <Text size="sm">{t('upload.early.hint')}</Text>
        <Button
          leftSection={<IconLink size={18} />}
          loading={stage.name === 'opening'}
          onClick={job.open}
        >
          {t('upload.early.action')}
        </Button>
      </div>
    </Panel>
  )
}

function Opened({ id }: { id: string }) {
  const { t } = useTranslation()
  const link = useShareLink(id)
  return (
    <Panel p="lg">
      <div role="status" className={classes.about}>
        <Text component="h2" fw={650} m={0}>
          {t('upload.early.title')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('upload.early.text')}
        </Text>
      </div>
      <FinishedLink link={link} expiry={null} />
    </Panel>
  )
}
