import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { ReverseShareView } from '@floe/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { toShareInput } from '../to-share-input.ts'
import { useShareForm } from '../use-share-form.ts'
import type { ShareDialogProps } from './CreateShareDialog.tsx'
import { ShareLinkField } from './ShareLinkField.tsx'
import { AboutFields, ShareOptions } from './ShareOptions.tsx'

interface SendDialogProps extends ShareDialogProps {
  reverseShare: ReverseShareView
}

/** Asks who sends what, and opens the share for uploads. When it ends is its receiver's choice. */
export function SendDialog({ reverseShare, opened, onClose, onCreated }: SendDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('send.title')} size="lg">
      <SendForm reverseShare={reverseShare} onCreated={onCreated} />
    </Dialog>
  )
}

function SendForm({
  reverseShare,
  onCreated,
}: Pick<SendDialogProps, 'reverseShare' | 'onCreated'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { user } = useSession()
  const { token, askSenderName, simplified, shareExpiration } = reverseShare
  const queryClient = useQueryClient()
  const asksSenderName = askSenderName && user === null
  const { form, generateLink, create, error } = useShareForm({
    asksSenderName,
    toInput: (values) => toShareInput(values, { reverseShare: token }),
    onCreated,
  })

  // The password may have changed meanwhile: the page asks for it once it knows.
  const isLocked = hasCode(create.error, 'reverse_share_password_required')
  useEffect(() => {
    if (isLocked) void queryClient.invalidateQueries({ queryKey: queryKeys.reverseShare(token) })
  }, [isLocked, queryClient, token])

  return (
    <form noValidate onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack gap="md">
        {asksSenderName && (
          <TextInput
            label={t('send.senderName')}
            description={t('send.senderNameHint')}
            autoComplete="name"
            data-autofocus
            {...form.getInputProps('senderName')}
          />
        )}
        {simplified ? (
          <AboutFields form={form} nameLabel={t('send.subject')} />
        ) : (
          <>
            <ShareLinkField form={form} generateLink={generateLink} />
            <ShareOptions form={form} withRecipients={false} />
          </>
        )}
        <Text size="sm" c="dimmed">
          {t('send.keptUntil', { date: format.date(new Date(shareExpiration)) })}
        </Text>
        {error !== null && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          loading={create.isPending}
          data-autofocus={!asksSenderName || undefined}
        >
          {t('send.submit')}
        </Button>
      </Stack>
    </form>
  )
}
