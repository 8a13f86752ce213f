import { largestShareBytes, type Receiver } from '@floe/contracts'
import { Alert, Button, Stack } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { ExpiryFields } from '../../../shared/share/ExpiryFields.tsx'
import { LinkField } from '../../../shared/share/LinkField.tsx'
import { useExpiryChoice } from '../../../shared/share/use-expiry-choice.ts'
import { reverseShareLink } from '../../../shared/share-link.ts'
import { createReverseShare } from '../api/create-reverse-share.ts'
import { isTokenAvailable } from '../api/token-availability.ts'
import { newValues, type ReverseShareValues, toNewReverseShare } from '../reverse-share-values.ts'
import { useReceiverChoice } from '../use-receiver-choice.ts'
import { type ReverseShareForm, useReverseShareForm } from '../use-reverse-share-form.ts'
import { ReceiverFields } from './ReceiverFields.tsx'
import type { LinkOptions } from './ReverseShareLinkDialog.tsx'
import { ReverseShareFields } from './ReverseShareFields.tsx'

interface CreateReverseShareDialogProps {
  /** To whom files are encrypted that come through another one. */
  receiver: Receiver | null
  onClose: () => void
  onCreated: (created: LinkOptions) => void
}

/** Asks for the limits of a new reverse share. */
export function CreateReverseShareDialog(props: CreateReverseShareDialogProps) {
  const { receiver: known, onClose, onCreated } = props
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const { settings, user } = useSession()
  const errorMessage = useErrorMessage()
  const expiry = useExpiryChoice()
  const form = useReverseShareForm({
    initialValues: newValues({ maxBytes: largestShareBytes(settings, user) }),
    minUses: 1,
  })
  const encryption = useReceiverChoice(known)
  const create = useMutation({
    mutationFn: async (values: ReverseShareValues): Promise<LinkOptions | null> => {
      const wanted = toNewReverseShare(values, expiry.expiration)
      if (!encryption?.isOn) return { token: await createReverseShare(http, wanted) }
      const chosen = await encryption.resolve()
      if (chosen === null) return null
      const { receiver } = chosen
      return { token: await createReverseShare(http, { ...wanted, receiver }), ...chosen }
    },
    onSuccess: async (created) => {
      if (created === null) return
      await queryClient.invalidateQueries({ queryKey: queryKeys.ownReverseShares })
      onCreated(created)
    },
    onError: (error) => {
      if (hasCode(error, 'reverse_share_token_taken')) {
        form.setFieldError('token', errorMessage(error))
      }
    },
  })

  // There is no switch to turn on.
  const cannotEncrypt = encryption === null && hasCode(create.error, 'encryption_required')

  return (
    <Dialog opened onClose={onClose} title={t('reverseShares.create.title')} size="lg">
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          if (expiry.error === null) create.mutate(values)
        })}
      >
        <Stack gap="md">
          <ReverseShareFields
            form={form}
            minUses={1}
            isSealed={encryption?.isOn === true}
            usesLabel={t('reverseShares.fields.maxUses')}
            password={{
              label: t('share.fields.password'),
              placeholder: t('share.fields.noPassword'),
            }}
            expiry={
              <ExpiryFields
                value={expiry.choice}
                error={expiry.error}
                allowsNever={false}
                describe={(date) => t('reverseShares.expiresOn', { date })}
                onChange={expiry.setChoice}
              />
            }
            link={<TokenField form={form} />}
            encryption={encryption && <ReceiverFields {...encryption} />}
          />
          {create.isError && !hasCode(create.error, 'reverse_share_token_taken') && (
            <Alert color="red" role="alert">
              {cannotEncrypt ? t('upload.encryption.unable') : errorMessage(create.error)}
            </Alert>
          )}
          <Button type="submit" size="md" loading={create.isPending} data-autofocus>
            {t('reverseShares.create.submit')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}

function TokenField({ form }: { form: ReverseShareForm }) {
  const { t } = useTranslation()
  const http = useHttp()
  const { settings } = useSession()
  const { token } = form.values
  return (
    <LinkField
      path="token"
      kind="reverse-share"
      label={t('reverseShares.fields.link')}
      placeholder={t('reverseShares.fields.linkGenerated')}
      value={token}
      error={form.errors['token']}
      preview={
        reverseShareLink({
          token,
          appUrl: settings['general.appUrl'],
          origin: window.location.origin,
        }) + (token === '' ? '…' : '')
      }
      isOwnWording={token !== ''}
      isAvailable={(wanted, signal) => isTokenAvailable(http, wanted, signal)}
      onChange={(value) => form.setFieldValue('token', value)}
    />
  )
}
