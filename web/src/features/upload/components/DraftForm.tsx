import { Alert, Stack, Switch } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session.ts'
import { ExpiryFields } from '../../../shared/share/ExpiryFields.tsx'
import type { DraftForm as Draft } from '../use-draft-form.ts'
import { ShareLinkField } from './ShareLinkField.tsx'
import { ShareOptions } from './ShareOptions.tsx'

/** The link, the expiry and the options of a share, to be filled in while its files are sent. */
export function DraftForm({ draft }: { draft: Draft }) {
  const { t } = useTranslation()
  const { user, settings } = useSession()
  const { form, generateLink, draftId, isEncrypted, expiry, sharing } = draft
  const sendsMail = settings['smtp.enabled']
  const offersRecipients = settings['email.enableShareEmailRecipients']
  return (
    <Stack gap="md">
      {!user && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle size={18} />}
          title={t('upload.create.anonymous.title')}
        >
          {t('upload.create.anonymous.text')}
        </Alert>
      )}
      {isEncrypted && (
        <Alert icon={<IconLock size={18} />} title={t('upload.encryption.on')}>
          {t('upload.encryption.costs')}
        </Alert>
      )}
      <ShareLinkField form={form} generateLink={generateLink} ownId={draftId} />
      <ExpiryFields
        value={expiry.choice}
        error={expiry.error}
        allowsNever={expiry.allowsNever}
        onChange={expiry.setChoice}
      />
      <ShareOptions
        form={form}
        sharing={sharing}
        withRecipients={sendsMail && offersRecipients}
        isEncrypted={isEncrypted}
      />
      {sendsMail && user && (
        <Switch
          label={t('upload.notifyOnDownload')}
          {...form.getInputProps('notifyOnDownload', { type: 'checkbox' })}
        />
      )}
    </Stack>
  )
}
