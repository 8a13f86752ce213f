import { Button, Group, Stack, Title } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { useSession } from '../../../shared/session/session.ts'
import { addEntries, type FileEntry, totalSize } from '../../../shared/upload/file-entry.ts'
import { FileDrop } from '../../../shared/upload/FileDrop.tsx'
import { findUnfinishedOf } from '../../../shared/upload/match-files.ts'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import { ActiveUpload } from '../components/ActiveUpload.tsx'
import { ChosenFiles } from '../components/ChosenFiles.tsx'
import { CreateShareDialog } from '../components/CreateShareDialog.tsx'
import { UnfinishedUploads } from '../components/UnfinishedUploads.tsx'
import { useUnfinishedUploads } from '../use-unfinished.ts'
import { type UploadActions, useUploadActions } from '../use-upload-actions.ts'

export function Page() {
  const { t } = useTranslation()
  const { job } = useUploadDesk()
  const actions = useUploadActions()
  return (
    <PageColumn>
      <PageTitle>{t('upload.title')}</PageTitle>
      {job ? <ActiveUpload job={job} actions={actions} /> : <NewUpload actions={actions} />}
    </PageColumn>
  )
}

function useSizeLimit() {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const maxBytes = settings['share.maxSize']
  return {
    hint:
      maxBytes > 0
        ? t('upload.drop.hintWithLimit', { maxSize: format.size(maxBytes) })
        : t('upload.drop.hint'),
    exceeds: maxBytes > 0 ? (bytes: number) => bytes > maxBytes : () => false,
    message: t('upload.tooLarge', { maxSize: format.size(maxBytes) }),
  }
}

function NewUpload({ actions }: { actions: UploadActions }) {
  const { t } = useTranslation()
  const [entries, setEntries] = useState<FileEntry[]>([])
  const [isCreating, setIsCreating] = useState(false)
  const limit = useSizeLimit()
  const unfinished = useUnfinishedUploads({ enabled: true }).data

  const add = useCallback(
    (added: FileEntry[]) => {
      const begun = entries.length === 0 ? findUnfinishedOf(unfinished ?? [], added) : null
      if (begun && added.length === begun.files.filter(({ isDone }) => !isDone).length) {
        notifySuccess(t('upload.unfinished.continuing'))
        actions.resume(begun, added)
        return
      }
      const next = addEntries(entries, added)
      if (limit.exceeds(totalSize(next))) notifyError(limit.message)
      else setEntries(next)
    },
    [entries, unfinished, actions, limit, t],
  )

  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {t('upload.title')}
        </Title>
        <Button
          leftSection={<IconShare size={18} />}
          disabled={entries.length === 0}
          onClick={() => setIsCreating(true)}
        >
          {t('upload.share')}
        </Button>
      </Group>
      <UnfinishedUploads
        uploads={unfinished ?? []}
        onContinue={actions.resume}
        onDiscard={(upload) => void actions.discard(upload)}
      />
      <FileDrop
        title={t('upload.drop.title')}
        hint={limit.hint}
        compact={entries.length > 0}
        onFiles={add}
      />
      {entries.length > 0 && (
        <ChosenFiles
          entries={entries}
          onRemove={(key) => setEntries(entries.filter((entry) => entry.key !== key))}
        />
      )}
      <CreateShareDialog
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(share) => void actions.begin(share, entries)}
      />
    </Stack>
  )
}
