import { Alert, Button, Group, Stack, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { OwnShare } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { IconChartBar, IconDeviceFloppy, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { LeaveDialog } from '../../../shared/components/LeaveDialog.tsx'
import actions from '../../../shared/components/page-actions.module.css'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { notifyError } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { useExpiryChange } from '../../../shared/share/use-expiry-change.ts'
import { FileDrop } from '../../../shared/upload/FileDrop.tsx'
import { useUploadDesk } from '../../../shared/upload/upload-desk.ts'
import { type OwnSettings, toUpdate } from '../to-update.ts'
import { useEditFiles } from '../use-edit-files.ts'
import { useSave } from '../use-save.ts'
import { EditFiles } from './EditFiles.tsx'
import { EditSettings, type EditFormValues } from './EditSettings.tsx'
import { EditTexts, type OpenText } from './EditTexts.tsx'
import { ExpiredShare } from './ExpiredShare.tsx'
import { RunningElsewhere } from './RunningElsewhere.tsx'
import { SavingUpload } from './SavingUpload.tsx'
import { UnpublishedChanges } from './UnpublishedChanges.tsx'

/** Everything of a share that its owner can change. Nothing happens before Save. */
export function EditForm({ share, own }: { share: OwnShare; own: OwnSettings | null }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { job } = useUploadDesk()
  const files = useEditFiles(share.files)
  const [openText, setOpenText] = useState<OpenText | null>(null)
  const expiry = useExpiryChange()
  const save = useSave(share, () => void navigate(paths.myShares))
  const form = useEditSettings(share, own)
  const update = toUpdate(share, own, { ...form.values, expiration: expiry.expiration })
  const hasChanges = update !== null || files.hasChanges

  function submit() {
    const { added, removedIds, edited } = files
    if (files.leavesNothing) notifyError(t('errors.shareWithoutFiles'))
    else if (expiry.error === null) {
      save.mutate({ update, added, removedIds: [...removedIds], edited })
    }
  }

  const takesFiles = canTakeFiles(share)
  if (job?.session.shareId === share.id && share.state !== 'uploading')
    return <SavingUpload job={job} />
  return (
    <>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack gap="lg">
          <EditHead
            share={share}
            canSave={hasChanges || (share.state !== 'completed' && takesFiles)}
            isSaving={save.isPending}
          />
          <Standing share={share} />
          <Panel p="lg">
            <EditSettings form={form} share={share} expiry={expiry} isOwn={own !== null} />
          </Panel>
          {takesFiles && (
            <>
              <FileDrop
                compact
                title={t('edit.append')}
                hint={t('edit.appendHint')}
                onFiles={files.append}
                onText={setOpenText}
              />
              <EditFiles shared={share.files} files={files} onEdit={setOpenText} />
            </>
          )}
        </Stack>
        <LeaveDialog
          isNeeded={hasChanges && !save.isPending}
          title={t('edit.discard.title')}
          text={t('admin.leave')}
          action={t('edit.discard.action')}
        />
      </form>
      <EditTexts share={share} files={files} open={openText} onClose={() => setOpenText(null)} />
    </>
  )
}

function canTakeFiles({ state, keptUntil, encrypted }: OwnShare): boolean {
  return state !== 'uploading' && !keptUntil && !encrypted
}

/** What is to be known before anything of it is changed. */
function Standing({ share }: { share: OwnShare }) {
  const { t } = useTranslation()
  if (share.keptUntil) return <ExpiredShare share={share} until={share.keptUntil} />
  if (share.state === 'reopened') return <UnpublishedChanges shareId={share.id} />
  if (share.state === 'uploading') return <RunningElsewhere shareId={share.id} />
  if (!share.encrypted) return null
  return (
    <Alert icon={<IconLock size={18} />} title={t('upload.encryption.on')}>
      {t('errors.shareEncrypted')}
    </Alert>
  )
}

interface EditHeadProps {
  share: OwnShare
  canSave: boolean
  isSaving: boolean
}

function EditHead({ share, canSave, isSaving }: EditHeadProps) {
  const { t } = useTranslation()
  return (
    <Group justify="space-between">
      <Title order={1} size="h2">
        {t('edit.heading', { name: share.name ?? share.id })}
      </Title>
      <Group gap="sm" className={actions.actions}>
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
          disabled={!canSave}
          loading={isSaving}
        >
          {t('common.save')}
        </Button>
      </Group>
    </Group>
  )
}

function useEditSettings(share: OwnShare, own: OwnSettings | null) {
  const { t } = useTranslation()
  const rules = useFormRules()
  return useForm<EditFormValues>({
    initialValues: {
      name: share.name ?? '',
      description: share.description ?? '',
      password: '',
      removePassword: false,
      maxViews: own?.security.maxViews || '',
      recipients: own?.recipients ?? [],
      restrictToRecipients: own?.security.restrictToRecipients ?? false,
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
}
