import { Alert, Button, Stack, Switch } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import type { ShareReceipt } from '@floe/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { ExpiryFields } from '../../../shared/share/ExpiryFields.tsx'
import { useExpiryChoice } from '../../../shared/share/use-expiry-choice.ts'
import { toShareInput } from '../to-share-input.ts'
import { useShareForm } from '../use-share-form.ts'
import { ShareLinkField } from './ShareLinkField.tsx'
import { ShareOptions } from './ShareOptions.tsx'

export interface ShareDialogProps {
  opened: boolean
  onClose: () => void
  onCreated: (share: ShareReceipt) => void
}

/** Asks for the link, the expiry and the options of a share, and opens it for uploads. */
export function CreateShareDialog({ opened, onClose, onCreated }: ShareDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('upload.create.title')} size="lg">
      <CreateShareForm onCreated={onCreated} />
    </Dialog>
  )
}

function CreateShareForm({ onCreated }: Pick<ShareDialogProps, 'onCreated'>) {
  const { t } = useTranslation()
  const { user, settings } = useSession()
  const sendsMail = settings['smtp.enabled']
  const offersRecipients = settings['email.enableShareEmailRecipients']
  const expiry = useExpiryChoice()
  const { form, generateLink, create, error } = useShareForm({
    asksSenderName: false,
    toInput: (values) => toShareInput(values, { expiration: expiry.expiration }),
    onCreated,
  })

  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (expiry.error === null) create.mutate(values)
      })}
    >
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
        <ShareLinkField form={form} generateLink={generateLink} />
        <ExpiryFields
          value={expiry.choice}
          error={expiry.error}
          allowsNever={expiry.allowsNever}
          onChange={expiry.setChoice}
        />
        <ShareOptions form={form} withRecipients={sendsMail && offersRecipients} />
        {sendsMail && user && (
          <Switch
            label={t('upload.notifyOnDownload')}
            {...form.getInputProps('notifyOnDownload', { type: 'checkbox' })}
          />
        )}
        {error !== null && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <Button type="submit" size="md" loading={create.isPending} data-autofocus>
          {t('upload.create.submit')}
        </Button>
      </Stack>
    </form>
  )
}
