import { Button, Group, Stack, Title } from '@mantine/core'
import { type OwnShare, visibleName } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { IconChartBar, IconDeviceFloppy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifyError } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { useExpiryChange } from '../../../shared/share/use-expiry-change.ts'
import { addEntries, type FileEntry, totalSize } from '../../../shared/upload/file-entry.ts'
import { FileDrop } from '../../../shared/upload/FileDrop.tsx'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import { useUndo } from '../../../shared/use-undo.ts'
import { type OwnSettings, toUpdate } from '../to-update.ts'
import { useSave } from '../use-save.ts'
import { EditFiles } from './EditFiles.tsx'
import { EditSettings, type EditFormValues } from './EditSettings.tsx'
import { SavingUpload } from './SavingUpload.tsx'
import { UnpublishedChanges } from './UnpublishedChanges.tsx'

/** Everything of a share that its owner can change. Nothing happens before Save. */
export function EditForm({ share, own }: { share: OwnShare; own: OwnSettings | null }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const format = useFormat()
  const rules = useFormRules()
  const { settings } = useSession()
  const { job } = useUploadDesk()
  const [added, setAdded] = useState<FileEntry[]>([])
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set())
  const expiry = useExpiryChange()
  const undo = useUndo()
  const save = useSave(share, () => void navigate(paths.myShares))
  const form = useForm<EditFormValues>({
    initialValues: {
      name: share.name ?? '',
      description: share.description ?? '',
      password: '',
      removePassword: false,
      maxViews: own?.security.maxViews || '',
      recipients: own?.recipients ?? [],
      notifyOnDownload: own?.notifyOnDownload ?? false,
    },
    validate: {
      name: rules.shareName,
      description: rules.shareDescription,
      password: rules.sharePassword,
      recipients: rules.recipients,
      maxViews: (value) => (value === '' || value >= 1 ? null : t('validation.wholeNumber')),
    },
  })
  const update = toUpdate(share, own, { ...form.values, expiration: expiry.expiration })
  const hasFileChanges = added.length > 0 || removedIds.size > 0
  const leavesNothing = added.length === 0 && removedIds.size === share.files.length

  function append(entries: FileEntry[]) {
    const next = addEntries(added, entries)
    const kept = share.files.filter(({ id }) => !removedIds.has(id))
    const bytes = totalSize(next) + kept.reduce((sum, { size }) => sum + Number(size), 0)
    const maxBytes = settings['share.maxSize']
    if (maxBytes > 0 && bytes > maxBytes) {
      notifyError(t('upload.tooLarge', { maxSize: format.size(maxBytes) }))
    } else {
      undo.withdraw()
      setAdded(next)
    }
  }

  function takeOut({ key, name, relativePath }: FileEntry) {
    setAdded(added.filter((entry) => entry.key !== key))
    undo.offer(t('undo.removed', { name: visibleName(relativePath ?? name) }), () =>
      setAdded(added),
    )
  }

  if (job?.session.shareId === share.id) return <SavingUpload job={job} />
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(() => {
        if (leavesNothing) notifyError(t('errors.shareWithoutFiles'))
        else if (expiry.error === null) save.mutate({ update, added, removedIds: [...removedIds] })
      })}
    >
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1} size="h2">
            {t('edit.heading', { name: share.name ?? share.id })}
          </Title>
          <Group gap="sm">
            <Button
              variant="subtle"
              component={PageLink}
              to={paths.shareActivity(share.id)}
              leftSection={<IconChartBar size={18} />}
            >
              {t('activity.title')}
            </Button>
            <Button variant="default" component={PageLink} to={paths.myShares}>
              {t('common.cancel')}
            </Button>
            <Button
              type="submit"
              leftSection={<IconDeviceFloppy size={18} />}
              disabled={update === null && !hasFileChanges && share.state === 'completed'}
              loading={save.isPending}
            >
              {t('common.save')}
            </Button>
          </Group>
        </Group>
        {share.state === 'reopened' && <UnpublishedChanges shareId={share.id} />}
        <Panel p="lg">
          <EditSettings form={form} share={share} expiry={expiry} isOwn={own !== null} />
        </Panel>
        <FileDrop compact title={t('edit.append')} hint={t('edit.appendHint')} onFiles={append} />
        <EditFiles
          files={share.files}
          added={added}
          removedIds={removedIds}
          onRemovedChange={setRemovedIds}
          onTakeOut={takeOut}
        />
      </Stack>
    </form>
  )
}
