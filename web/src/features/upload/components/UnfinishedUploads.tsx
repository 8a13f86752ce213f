import { Button, Group, Stack, Text } from '@mantine/core'
import { visibleName } from '@floe/contracts'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchOwnShare } from '../../../shared/api/own-shares.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type FileEntry, toEntry, totalSize } from '../../../shared/upload/file-entry.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import type { Unfinished } from '../../../shared/upload/match-files.ts'
import type { StoredFile } from '../../../shared/upload/upload-registry.ts'
import classes from './UnfinishedUploads.module.css'

/** Whether people have the link of this share already. */
function useIsOpen(shareId: string | null): boolean {
  const http = useHttp()
  const { data } = useQuery({
    queryKey: queryKeys.shareFromOwner(shareId ?? ''),
    queryFn: () => fetchOwnShare(http, shareId ?? ''),
    enabled: shareId !== null,
  })
  return data?.state === 'uploading'
}

interface UnfinishedUploadsProps {
  uploads: readonly Unfinished[]
  /** Resolves once the files are known to be those of the upload, or not. */
  onContinue: (upload: Unfinished, entries: FileEntry[]) => Promise<void>
  onDiscard: (upload: Unfinished) => void
}

/** Uploads that were cut off, each waiting for its files to be chosen again. */
export function UnfinishedUploads({ uploads, onContinue, onDiscard }: UnfinishedUploadsProps) {
  const { t } = useTranslation()
  const [discarding, setDiscarding] = useState<Unfinished | null>(null)
  const isOpen = useIsOpen(discarding?.shareId ?? null)
  return (
    <Panel>
      <div className={classes.head}>
        <IconHistory size={20} aria-hidden="true" />
        <div>
          <Text component="h2" fw={650} m={0}>
            {t('upload.unfinished.title')}
          </Text>
          {uploads.some(({ isLocked }) => !isLocked) && (
            <Text size="sm" c="dimmed">
              {t('upload.unfinished.hint')}
            </Text>
          )}
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
        text={isOpen ? t('upload.early.stopText') : t('upload.unfinished.discardText')}
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
  onContinue: (entries: FileEntry[]) => Promise<void>
  onDiscard: () => void
}) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isLooking, setIsLooking] = useState(false)
  const open = upload.files.filter(({ isDone }) => !isDone)
  const isFolder = open.some(({ relativePath }) => relativePath !== null)
  const label = upload.name ?? upload.shareId

  async function proceed(entries: FileEntry[]) {
    setIsLooking(true)
    await onContinue(entries)
    setIsLooking(false)
  }

  return (
    <li className={classes.row}>
      <Facts label={label} files={upload.files} open={open} isLocked={upload.isLocked === true} />
      <Group gap="xs">
        {!upload.isLocked && (
          <Button
            size="sm"
            loading={isLooking}
            onClick={() => (open.length === 0 ? void proceed([]) : input.current?.click())}
            aria-label={
              open.length === 0
                ? t('upload.unfinished.finish', { name: label })
                : t('upload.unfinished.continueNamed', { name: label })
            }
          >
            {open.length === 0
              ? t('upload.unfinished.finishShort')
              : t('upload.unfinished.continue')}
          </Button>
        )}
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
            void proceed([...(event.currentTarget.files ?? [])].map(toEntry))
            event.currentTarget.value = ''
          }}
        />
      </Group>
    </li>
  )
}

interface FactsProps {
  label: string
  files: readonly StoredFile[]
  /** Those that are to be chosen again. */
  open: readonly StoredFile[]
  /** Another browser has its keys: its names say nothing here. */
  isLocked: boolean
}

function Facts({ label, files, open, isLocked }: FactsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const sent = files.reduce(
    (sum, { isDone, sizeBytes, offsetBytes }) => sum + (isDone ? sizeBytes : offsetBytes),
    0,
  )
  return (
    <Stack gap={2} className={classes.text}>
      <Text fw={500} truncate>
        <bdi>{label}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        {t('upload.unfinished.state', {
          count: open.length,
          sent: format.size(sent),
          total: format.size(totalSize(files)),
        })}
      </Text>
      <Text size="sm" c="dimmed" lineClamp={2} className={classes.names}>
        {isLocked
          ? t('upload.encryption.keyElsewhere')
          : open
              .slice(0, 5)
              .map(({ relativePath, name }) => visibleName(relativePath ?? name))
              .join(', ')}
      </Text>
    </Stack>
  )
}
