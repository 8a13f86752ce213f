import { Button, Stack, Text, TextInput } from '@mantine/core'
import { emailSchema } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { CodeInput } from '../../../shared/components/CodeInput.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { enterShare, requestShareCode } from '../api/open-share.ts'

interface RecipientDialogProps {
  shareId: string
  onEntered: () => void
  /** The code is right, and the share has a password besides. */
  onPasswordNeeded: (entrance: { email: string; code: string }) => void
  /** No code opens this share any more. */
  onRefused: (error: Error) => void
}

/** Lets recipients in by a code that is sent to their address. */
export function RecipientDialog({ shareId, ...ends }: RecipientDialogProps) {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <Dialog
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('share.recipient.title')}
    >
      {sentTo === null ? (
        <AddressForm shareId={shareId} onSent={setSentTo} />
      ) : (
        <CodeForm shareId={shareId} email={sentTo} onAgain={() => setSentTo(null)} {...ends} />
      )}
    </Dialog>
  )
}

function AddressForm({ shareId, onSent }: { shareId: string; onSent: (email: string) => void }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [email, setEmail] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const send = useMutation({
    mutationFn: () => requestShareCode(http, shareId, email),
    onSuccess: () => onSent(email),
  })
  const error = isWrong ? t('errors.invalidInput') : send.error && errorMessage(send.error)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const isAddress = emailSchema.safeParse(email).success
        setIsWrong(!isAddress)
        if (isAddress) send.mutate()
      }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('share.recipient.text')}
        </Text>
        <TextInput
          label={t('share.recipient.email')}
          type="email"
          autoComplete="email"
          data-autofocus
          value={email}
          error={error}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setIsWrong(false)
            send.reset()
          }}
        />
        <Button type="submit" loading={send.isPending}>
          {t('share.recipient.send')}
        </Button>
      </Stack>
    </form>
  )
}

interface CodeFormProps extends Omit<RecipientDialogProps, 'shareId'> {
  shareId: string
  email: string
  onAgain: () => void
}

function CodeForm(props: CodeFormProps) {
  const { shareId, email, onAgain, onEntered, onPasswordNeeded, onRefused } = props
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [code, setCode] = useState('')
  const enter = useMutation({
    mutationFn: (typed: string) => enterShare(http, shareId, { email, code: typed }),
    onSuccess: onEntered,
    onError: (error, typed) => {
      if (hasCode(error, 'share_password_required')) onPasswordNeeded({ email, code: typed })
      else if (hasCode(error, 'share_max_views_exceeded', 'share_not_found', 'share_removed')) {
        onRefused(error)
      } else setCode('')
    },
  })
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" role="status">
        {t('share.recipient.sent')}
      </Text>
      <CodeInput
        label={t('share.recipient.code')}
        autoFocus
        value={code}
        error={enter.error && errorMessage(enter.error)}
        isBusy={enter.isPending}
        onChange={(next) => {
          setCode(next)
          if (next !== '') enter.reset()
        }}
        onComplete={(complete) => {
          if (!enter.isPending) enter.mutate(complete)
        }}
      />
      <Button variant="subtle" onClick={onAgain}>
        {t('share.recipient.again')}
      </Button>
    </Stack>
  )
}
