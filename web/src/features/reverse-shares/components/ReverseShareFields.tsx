import { Accordion, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Accordion.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { closesShares, MAX_REVERSE_SHARE_USES, sharingRules } from '@floe/contracts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useSession } from '../../../shared/session/session.ts'
import type { ReverseShareForm } from '../use-reverse-share-form.ts'
import { SizeFields } from './SizeFields.tsx'

interface ReverseShareFieldsProps {
  form: ReverseShareForm
  /** When it ends; stands on top. */
  expiry: ReactNode
  /** The end of its link, where it can still be chosen. */
  link?: ReactNode
  /** Whether what is sent is encrypted, where it can still be chosen. */
  encryption?: ReactNode
  usesLabel: string
  minUses: 0 | 1
  password: { label: string; placeholder: string; removal?: ReactNode }
  /** What is sent is encrypted for the owner, so that nobody else could open it. */
  isSealed: boolean
}

/** Everything of a reverse share that its owner chooses; what is rarely needed lies in a fold. */
export function ReverseShareFields(props: ReverseShareFieldsProps) {
  const { form, expiry, link, encryption, usesLabel, minUses, password, isSealed } = props
  const { t } = useTranslation()
  const { settings, user } = useSession()
  const isForOwner = isSealed || closesShares(sharingRules(settings, user))
  return (
    <Stack gap="md">
      {expiry}
      <SizeFields
        value={form.values.size}
        error={form.errors['size']}
        onChange={(size) => form.setFieldValue('size', size)}
      />
      <NumberInput
        label={usesLabel}
        description={t('reverseShares.fields.usesHint')}
        min={minUses}
        max={MAX_REVERSE_SHARE_USES}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('uses')}
      />
      {settings['smtp.enabled'] && (
        <Switch
          label={t('reverseShares.fields.notify')}
          {...form.getInputProps('sendEmailNotification', { type: 'checkbox' })}
        />
      )}
      {encryption}
      <Accordion variant="separated" radius="md" order={3}>
        <Accordion.Item value="more">
          <Accordion.Control>{t('reverseShares.fields.more')}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="md">
              <TextInput
                label={t('share.fields.name')}
                description={t('reverseShares.fields.nameHint')}
                {...form.getInputProps('name')}
              />
              <PasswordField
                label={password.label}
                placeholder={password.placeholder}
                autoComplete="new-password"
                disabled={form.values.removePassword}
                {...form.getInputProps('password')}
              />
              {password.removal}
              {link}
              <Switch
                label={t('reverseShares.fields.askSenderName')}
                description={t('reverseShares.fields.askSenderNameHint')}
                {...form.getInputProps('askSenderName', { type: 'checkbox' })}
              />
              {settings['share.reverseShares'] !== 'simple' && (
                <Switch
                  label={t('reverseShares.fields.simplified')}
                  description={t('reverseShares.fields.simplifiedHint')}
                  {...form.getInputProps('simplified', { type: 'checkbox' })}
                />
              )}
              {!isForOwner && (
                <Switch
                  label={t('reverseShares.fields.publicAccess')}
                  description={t('reverseShares.fields.publicAccessHint')}
                  {...form.getInputProps('publicAccess', { type: 'checkbox' })}
                />
              )}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  )
}
