import { Alert, Button, Checkbox, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import {
  createWebhookSchema,
  instanceWebhookEvents,
  shareWebhookEvents,
  type Webhook,
  webhookFormats,
  type WebhookScope,
  type WebhookWithSecret,
} from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { Dialog } from '../components/Dialog.tsx'
import { DialogFoot } from '../components/DialogFoot.tsx'
import { useFormRules } from '../form-rules.ts'
import { notifySuccess } from '../notify.ts'
import { queryKeys } from '../query-keys.ts'
import { useWebhookTexts } from './use-webhook-texts.ts'
import { firstValues, toChanges, toNewWebhook, type WebhookValues } from './webhook-values.ts'
import { nameOf } from './webhook-texts.ts'
import { createWebhook, updateWebhook } from './webhooks.ts'

interface WebhookFormDialogProps {
  /** `null` for a new one. */
  webhook: Webhook | null
  scope: WebhookScope
  /** Of a new one, where its receiver has a use for it. */
  onSecret: (secret: string) => void
  onRotate?: () => void
  onClose: () => void
}

/** Asks where messages go, in which form, and what about. */
export function WebhookFormDialog(props: WebhookFormDialogProps) {
  const { webhook, scope, onRotate, onClose } = props
  const { t } = useTranslation()
  const texts = useWebhookTexts()
  const errorMessage = useErrorMessage()
  const form = useWebhookForm(webhook)
  const save = useSave(props)
  const title =
    webhook === null ? t('webhooks.create') : t('myShares.actions.edit', { name: nameOf(webhook) })

  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="md">
          <TextInput
            type="url"
            dir="ltr"
            label={t('webhooks.address')}
            placeholder="https://"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('url')}
          />
          <NativeSelect
            label={t('webhooks.format')}
            data={webhookFormats.map((value) => ({ value, label: texts.format(value) }))}
            {...form.getInputProps('format')}
          />
          <Events scope={scope} {...form.getInputProps('events')} />
          {webhook !== null && (
            <Switch
              label={t('webhooks.isOn')}
              {...form.getInputProps('isOn', { type: 'checkbox' })}
            />
          )}
          {save.isError && (
            <Alert color="red" role="alert">
              {errorMessage(save.error)}
            </Alert>
          )}
          <DialogFoot>
            {webhook?.format === 'standard' && (
              <Button variant="default" onClick={onRotate}>
                {t('webhooks.rotate')}
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {webhook === null ? t('webhooks.create') : t('common.save')}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Dialog>
  )
}

function useWebhookForm(webhook: Webhook | null) {
  const { t } = useTranslation()
  const rules = useFormRules()
  const { url } = createWebhookSchema.shape
  return useForm<WebhookValues>({
    initialValues: firstValues(webhook),
    validate: {
      url: (text) =>
        rules.required(text) ??
        (url.safeParse(text.trim()).success ? null : t('webhooks.addressWrong')),
      events: (events) => (events.length === 0 ? t('account.tokens.scopesMissing') : null),
    },
  })
}

function useSave({ webhook, scope, onSecret, onClose }: WebhookFormDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (values: WebhookValues): Promise<WebhookWithSecret | null> => {
      if (webhook === null) return createWebhook(http, toNewWebhook(values, scope))
      await updateWebhook(http, webhook.id, toChanges(values))
      return null
    },
    onSuccess: async (made) => {
      // Services that show messages check no signature.
      if (made?.format === 'standard') {
        onSecret(made.secret)
      } else {
        if (made) notifySuccess(t('webhooks.created'))
        onClose()
      }
      await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
    },
  })
}

interface EventsProps {
  scope: WebhookScope
  value?: string[]
  error?: string
  onChange?: (events: string[]) => void
}

function Events({ scope, ...input }: EventsProps) {
  const { t } = useTranslation()
  const texts = useWebhookTexts()
  const offered =
    scope === 'own' ? shareWebhookEvents : [...shareWebhookEvents, ...instanceWebhookEvents]
  return (
    <Checkbox.Group label={t('webhooks.events')} {...input}>
      <Stack gap="sm" mt="xs">
        {offered.map((event) => (
          <Checkbox key={event} value={event} label={texts.clause(event)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
