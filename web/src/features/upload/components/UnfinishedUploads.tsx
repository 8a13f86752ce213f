import { Button, Group, Stack, Text } from '@mantine/core'
import { visibleName } from '@floe/contracts'
import { IconHistory } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type FileEntry, toEntry, totalSize } from '../../../shared/upload/file-entry.ts'
import type { Unfinished } from '../../../shared/upload/match-files.ts'
import classes from './UnfinishedUploads.module.css'

interface UnfinishedUploadsProps {
  uploads: readonly Unfinished[]
  onContinue: (upload: Unfinished, entries: FileEntry[]) => void
  onDiscard: (upload: Unfinished) => void
}

/** Uploads that were cut off, each waiting for its files to be chosen again. */
export function UnfinishedUploads({ uploads, onContinue, onDiscard }: UnfinishedUploadsProps) {
  const { t } = useTranslation()
  const [discarding, setDiscarding] = useState<Unfinished | null>(null)
  return (
    <Panel>
      <div className={classes.head}>
        <IconHistory size={20} aria-hidden="true" />
        <div>
          <Text component="h2" fw={650} m={0}>
            {t('upload.unfinished.title')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('upload.unfinished.hint')}
          </Text>
        </div>
      </div>
      <ul className={classes.list}>
        {uploads.map((upload) => (
          <Row
            key={upload.shareId}
            upload={upload}
            onContinue={(entries) => onContinue(upload, entries)}
            onDiscard={() => setDiscarding(upload)}
          />
        ))}
      </ul>
      <ConfirmDialog
        opened={discarding !== null}
        title={t('upload.unfinished.discardTitle')}
        text={t('upload.unfinished.discardText')}
        action={t('upload.unfinished.discard')}
        onClose={() => setDiscarding(null)}
        onConfirm={() => {
          if (discarding) onDiscard(discarding)
          setDiscarding(null)
        }}
      />
    </Panel>
  )
}

function Row({
  upload,
  onContinue,
  onDiscard,
}: {
  upload: Unfinished
  onContinue: (entries: FileEntry[]) => void
  onDiscard: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const open = upload.files.filter(({ isDone }) => !isDone)
  const isFolder = open.some(({ relativePath }) => relativePath !== null)
  const sent = upload.files.reduce(
    (sum, { isDone, sizeBytes, offsetBytes }) => sum + (isDone ? sizeBytes : offsetBytes),
    0,
  )
  const label = upload.name ?? upload.shareId
  return (
    <li className={classes.row}>
      <Stack gap={2} className={classes.text}>
        <Text fw={500} truncate>
          <bdi>{label}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {t('upload.unfinished.state', {
            count: open.length,
            sent: format.size(sent),
            total: format.size(totalSize(upload.files)),
          })}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2} className={classes.names}>
          {open
            .slice(0, 5)
            .map(({ relativePath, name }) => visibleName(relativePath ?? name))
            .join(', ')}
        </Text>
      </Stack>
      <Group gap="xs">
        <Button
          size="sm"
          onClick={() => (open.length === 0 ? onContinue([]) : input.current?.click())}
          aria-label={
            open.length === 0
              ? t('upload.unfinished.finish', { name: label })
              : t('upload.unfinished.continueNamed', { name: label })
          }
        >
          {open.length === 0 ? t('upload.unfinished.finishShort') : t('upload.unfinished.continue')}
        </Button>
        <Button
          size="sm"
          variant="default"
          onClick={onDiscard}
          aria-label={t('upload.unfinished.discardNamed', { name: label })}
        >
          {t('upload.unfinished.discard')}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('upload.unfinished.input', { name: label })}
          {...(isFolder && { webkitdirectory: '' })}
          onChange={(event) => {
            onContinue([...(event.currentTarget.files ?? [])].map(toEntry))
            event.currentTarget.value = ''
          }}
        />
      </Group>
    </li>
  )
}
