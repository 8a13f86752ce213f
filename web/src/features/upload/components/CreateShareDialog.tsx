import {
  Accordion,
  Alert,
  Button,
  Modal,
  NumberInput,
  PasswordInput,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/Accordion.layer.css'
import { type CreateShareInput, type ShareReceipt } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { useFormRules } from '../../../shared/form-rules.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSession } from '../../../shared/session/session.ts'
import {
  defaultExpiry,
  expiryDate,
  latestExpiry,
  toExpiration,
} from '../../../shared/share/expiry-choice.ts'
import { ExpiryFields } from '../../../shared/share/ExpiryFields.tsx'
import { generateShareId } from '../../../shared/share/share-id.ts'
import { createShare } from '../api/create-share.ts'
import { LinkField } from './LinkField.tsx'

interface CreateShareDialogProps {
  opened: boolean
  onClose: () => void
  onCreated: (share: ShareReceipt) => void
}

interface FormValues {
  id: string
  name: string
  description: string
  password: string
  maxViews: number | ''
}

/** Asks for the link, the expiry and the options of a share, and opens it for uploads. */
export function CreateShareDialog({ opened, onClose, onCreated }: CreateShareDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('upload.create.title')} size="lg">
      <CreateShareForm onCreated={onCreated} />
    </Modal>
  )
}

function useExpiry() {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const maxHours = settings['share.maxExpiration']
  const [expiry, setExpiry] = useState(() =>
    defaultExpiry({ defaultHours: settings['share.defaultExpiration'], maxHours }),
  )
  const now = new Date()
  const date = expiryDate(expiry, now)
  const latest = latestExpiry(maxHours, now)
  const tooLong = latest !== null && date !== null && date > latest
  const error = expiry.never
    ? null
    : date === null
      ? t('validation.wholeNumber')
      : tooLong
        ? t('validation.expirationTooLong', { max: format.date(latest) })
        : null
  return { expiry, setExpiry, error, allowsNever: maxHours === 0 }
}

function CreateShareForm({ onCreated }: Pick<CreateShareDialogProps, 'onCreated'>) {
  const { t } = useTranslation()
  const http = useHttp()
  const { user, settings } = useSession()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const { expiry, setExpiry, error: expiryError, allowsNever } = useExpiry()
  const idLength = settings['share.shareIdLength']
  const form = useForm<FormValues>({
    initialValues: {
      id: generateShareId(idLength),
      name: '',
      description: '',
      password: '',
      maxViews: '',
    },
    validate: {
      id: rules.shareId,
      name: rules.shareName,
      description: rules.shareDescription,
      password: rules.sharePassword,
      maxViews: (value) => (value === '' || value >= 1 ? null : t('validation.wholeNumber')),
    },
  })
  const create = useMutation({
    mutationFn: (values: FormValues) => createShare(http, toInput(values, toExpiration(expiry))),
    onSuccess: onCreated,
    onError: (error) => {
      if (hasCode(error, 'share_id_taken')) form.setFieldError('id', errorMessage(error))
    },
  })

  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (expiryError === null) create.mutate(values)
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
        <LinkField
          value={form.values.id}
          error={form.errors['id']}
          isOwnWording={form.isDirty('id')}
          onChange={(id) => form.setFieldValue('id', id)}
          onGenerate={() => {
            const id = generateShareId(idLength)
            form.setFieldValue('id', id)
            form.resetDirty({ ...form.values, id })
          }}
        />
        <ExpiryFields
          value={expiry}
          error={expiryError}
          allowsNever={allowsNever}
          onChange={setExpiry}
        />
        <Accordion multiple variant="separated" radius="md" order={3}>
          <Accordion.Item value="about">
            <Accordion.Control>{t('upload.create.about')}</Accordion.Control>
            <Accordion.Panel>
              <Stack gap="sm">
                <TextInput label={t('share.fields.name')} {...form.getInputProps('name')} />
                <Textarea
                  label={t('share.fields.description')}
                  description={t('share.fields.descriptionHint')}
                  autosize
                  minRows={2}
                  maxRows={6}
                  {...form.getInputProps('description')}
                />
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
          <Accordion.Item value="security">
            <Accordion.Control>{t('upload.create.security')}</Accordion.Control>
            <Accordion.Panel>
              <Stack gap="sm">
                <PasswordInput
                  label={t('share.fields.password')}
                  autoComplete="new-password"
                  placeholder={t('share.fields.noPassword')}
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
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        {create.isError && !hasCode(create.error, 'share_id_taken') && (
          <Alert color="red" role="alert">
            {errorMessage(create.error)}
          </Alert>
        )}
        <Button type="submit" size="md" loading={create.isPending} data-autofocus>
          {t('upload.create.submit')}
        </Button>
      </Stack>
    </form>
  )
}

function toInput(values: FormValues, expiration: string): CreateShareInput {
  const { id, name, description, password, maxViews } = values
  return {
    id,
    expiration,
    recipients: [],
    ...(name !== '' && { name }),
    ...(description !== '' && { description }),
    security: {
      ...(password !== '' && { password }),
      ...(maxViews !== '' && { maxViews }),
    },
  }
}
