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
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { useFormRules } from '../../../shared/form-rules.ts'
import { useSession } from '../../../shared/session/session.ts'
import { ExpiryFields } from '../../../shared/share/ExpiryFields.tsx'
import { LinkField } from '../../../shared/share/LinkField.tsx'
import { generateShareId } from '../../../shared/share/share-id.ts'
import { useExpiryChoice } from '../../../shared/share/use-expiry-choice.ts'
import { shareLink } from '../../../shared/share-link.ts'
import { createShare } from '../api/create-share.ts'
import { isShareIdAvailable } from '../api/share-id-availability.ts'

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

function CreateShareForm({ onCreated }: Pick<CreateShareDialogProps, 'onCreated'>) {
  const { t } = useTranslation()
  const http = useHttp()
  const { user, settings } = useSession()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const expiry = useExpiryChoice()
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
    mutationFn: (values: FormValues) => createShare(http, toInput(values, expiry.expiration)),
    onSuccess: onCreated,
    onError: (error) => {
      if (hasCode(error, 'share_id_taken')) form.setFieldError('id', errorMessage(error))
    },
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
        <LinkField
          kind="share"
          label={t('upload.create.link')}
          value={form.values.id}
          error={form.errors['id']}
          preview={shareLink({
            shareId: form.values.id,
            appUrl: settings['general.appUrl'],
            origin: window.location.origin,
          })}
          isOwnWording={form.isDirty('id')}
          isAvailable={(id, signal) => isShareIdAvailable(http, id, signal)}
          onChange={(id) => form.setFieldValue('id', id)}
          onGenerate={() => {
            const id = generateShareId(idLength)
            form.setFieldValue('id', id)
            form.resetDirty({ ...form.values, id })
          }}
        />
        <ExpiryFields
          value={expiry.choice}
          error={expiry.error}
          allowsNever={expiry.allowsNever}
          onChange={expiry.setChoice}
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
