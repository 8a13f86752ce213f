import { Checkbox, NumberInput, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import type { OwnShare } from '@floe/contracts'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSession } from '../../../shared/session/session.ts'
import { useClosingRules } from '../../../shared/share/closing-rules.ts'
import { ExpiryChangeFields } from '../../../shared/share/ExpiryChangeFields.tsx'
import { RecipientsField } from '../../../shared/share/RecipientsField.tsx'
import { RestrictSwitch } from '../../../shared/share/RestrictSwitch.tsx'
import type { ExpiryChange } from '../../../shared/share/use-expiry-change.ts'
import { expiryOf } from '../../../shared/share-link.ts'

export interface EditFormValues {
  name: string
  description: string
  password: string
  removePassword: boolean
  maxViews: number | ''
  recipients: string[]
  restrictToRecipients: boolean
  notifyOnDownload: boolean
}

interface EditSettingsProps {
  form: UseFormReturnType<EditFormValues>
  share: OwnShare
  expiry: ExpiryChange
  /** Made with this account: mails about it go to and from its owner. */
  isOwn: boolean
}

/** Name, note, expiry, password, view limit and recipients of a share. */
export function EditSettings({ form, share, expiry, isOwn }: EditSettingsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const rules = useClosingRules({ isSent: share.reverseShare !== undefined })
  const sendsMail = isOwn && settings['smtp.enabled']
  const expiresAt = expiryOf(share.expiration)
  return (
    <Stack gap="md">
      <TextInput label={t('share.fields.name')} {...form.getInputProps('name')} />
      <Textarea
        label={t('share.fields.description')}
        description={t('share.fields.descriptionHint')}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      {!share.keptUntil && (
        <ExpiryChangeFields
          current={
            expiresAt
              ? t('share.expiresOn', { date: format.date(expiresAt) })
              : t('share.neverExpires')
          }
          expiry={expiry}
          allowsNever={expiry.allowsNever}
        />
      )}
      {!share.encrypted && <PasswordChange form={form} share={share} />}
      <NumberInput
        label={t('share.fields.maxViews')}
        placeholder={t('share.fields.noLimit')}
        min={1}
        max={1_000_000_000}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('maxViews')}
      />
      {sendsMail && settings['email.enableShareEmailRecipients'] && (
        <>
          <RecipientsField
            value={form.values.recipients}
            error={form.errors['recipients']}
            isEncrypted={share.encrypted === true}
            onChange={(recipients) => form.setFieldValue('recipients', recipients)}
          />
          <RestrictSwitch
            isRequired={form.values.restrictToRecipients && rules.recipientsOnly}
            isPossible={form.values.restrictToRecipients || form.values.recipients.length > 0}
            {...form.getInputProps('restrictToRecipients', { type: 'checkbox' })}
          />
        </>
      )}
      {sendsMail && (
        <Switch
          label={t('upload.notifyOnDownload')}
          {...form.getInputProps('notifyOnDownload', { type: 'checkbox' })}
        />
      )}
    </Stack>
  )
}

/** Not of an encrypted share: its password is part of its key. */
function PasswordChange({ form, share }: Pick<EditSettingsProps, 'form' | 'share'>) {
  const { t } = useTranslation()
  const rules = useClosingRules({ isSent: share.reverseShare !== undefined })
  return (
    <>
      <PasswordField
        label={share.hasPassword ? t('edit.newPassword') : t('share.fields.password')}
        placeholder={share.hasPassword ? t('edit.keepPassword') : t('share.fields.noPassword')}
        autoComplete="new-password"
        disabled={form.values.removePassword}
        {...form.getInputProps('password')}
      />
      {share.hasPassword && !rules.passwordRequired && (
        <Checkbox
          label={t('edit.removePassword')}
          {...form.getInputProps('removePassword', { type: 'checkbox' })}
        />
      )}
    </>
  )
}
