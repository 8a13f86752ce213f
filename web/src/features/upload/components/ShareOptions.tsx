import { Accordion, NumberInput, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Accordion.layer.css'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { RecipientsField } from '../../../shared/share/RecipientsField.tsx'
import { RestrictSwitch } from '../../../shared/share/RestrictSwitch.tsx'
import type { ClosingRules } from '../../../shared/share/closing-rules.ts'
import type { ShareFormValues } from '../../../shared/share/draft-terms.ts'

interface FormProps {
  form: UseFormReturnType<ShareFormValues>
}

/** The name of a share and its description for those who open it. */
export function AboutFields({ form, nameLabel }: FormProps & { nameLabel?: string }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <TextInput label={nameLabel ?? t('share.fields.name')} {...form.getInputProps('name')} />
      <Textarea
        label={t('share.fields.description')}
        description={t('share.fields.descriptionHint')}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
    </Stack>
  )
}

function SecurityFields({ form, sharing }: FormProps & { sharing: ClosingRules }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <PasswordField
        label={t('share.fields.password')}
        autoComplete="new-password"
        placeholder={sharing.passwordRequired ? '' : t('share.fields.noPassword')}
        {...form.getInputProps('password')}
      />
      <NumberInput
        label={t('share.fields.maxViews')}
        placeholder={t('share.fields.noLimit')}
        min={1}
        max={1_000_000_000}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('maxViews')}
      />
    </Stack>
  )
}

interface ShareOptionsProps extends FormProps {
  sharing: ClosingRules
  withRecipients: boolean
  isEncrypted: boolean
}

/** What a share can do without: closed folds, except where a rule asks for what is in one. */
export function ShareOptions(props: ShareOptionsProps) {
  const { form, sharing, withRecipients, isEncrypted } = props
  const { t } = useTranslation()
  const asked = [
    ...(sharing.recipientsOnly ? ['recipients'] : []),
    ...(sharing.passwordRequired ? ['security'] : []),
  ]
  return (
    <Accordion multiple defaultValue={asked} variant="separated" radius="md" order={3}>
      <Accordion.Item value="about">
        <Accordion.Control>{t('upload.create.about')}</Accordion.Control>
        <Accordion.Panel>
          <AboutFields form={form} />
        </Accordion.Panel>
      </Accordion.Item>
      {withRecipients && (
        <Accordion.Item value="recipients">
          <Accordion.Control>{t('upload.create.recipients')}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <RecipientsField
                value={form.values.recipients}
                error={form.errors['recipients']}
                isEncrypted={isEncrypted}
                onChange={(recipients) => form.setFieldValue('recipients', recipients)}
              />
              <RestrictSwitch
                isPossible={form.values.recipients.length > 0}
                isRequired={sharing.recipientsOnly}
                {...form.getInputProps('restrictToRecipients', { type: 'checkbox' })}
              />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      )}
      <Accordion.Item value="security">
        <Accordion.Control>{t('upload.create.security')}</Accordion.Control>
        <Accordion.Panel>
          <SecurityFields form={form} sharing={sharing} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
