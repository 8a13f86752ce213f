import { Button, Stack, Text, Textarea } from '@mantine/core'
import type { TotpEnrolment } from '@floe/contracts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { CodeInput } from '../../../shared/components/CodeInput.tsx'
import { CopyButton } from '../../../shared/components/CopyButton.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { createRecoveryCodes } from '../api/create-recovery-codes.ts'
import { verifyTotp } from '../api/verify-totp.ts'
import type { Confirmation } from '../confirmation.ts'
import { groupSecret } from '../secret-text.ts'
import classes from './TotpSetupDialog.module.css'

const QR_SIZE = 192

interface TotpSetupDialogProps {
  enrolment: TotpEnrolment
  confirmation: Confirmation
  /** The second factor counts from now on; `null` when its recovery codes could not be made. */
  onVerified: (recoveryCodes: string[] | null) => void
  onClose: () => void
}

/** Hands the secret to an authenticator app and has it prove that it took it. */
export function TotpSetupDialog(props: TotpSetupDialogProps) {
  const { enrolment, confirmation, onVerified, onClose } = props
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [code, setCode] = useState('')
  const rules = useFormRules()
  const [fault, setFault] = useState<string | null>(null)
  const verify = useMutation({
    mutationFn: async (complete: string) => {
      await verifyTotp(http, { ...confirmation, code: complete })
      return createRecoveryCodes(http, confirmation).catch(() => null)
    },
    onSuccess: onVerified,
    onError: () => setCode(''),
  })
  const submit = (complete: string) => {
    if (!verify.isPending) verify.mutate(complete)
  }
  const refusal = verify.error ? errorMessage(verify.error) : null

  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('account.totp.setup.title')}
      closeOnClickOutside={false}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const found = rules.code(code)
          setFault(found)
          if (found === null) submit(code)
        }}
      >
        <Stack gap="md">
          <Text size="sm">{t('account.totp.setup.scan')}</Text>
          <img
            className={classes.code}
            src={enrolment.qrCode}
            alt={t('account.totp.setup.qrCode')}
            width={QR_SIZE}
            height={QR_SIZE}
          />
          <Textarea
            label={t('account.totp.setup.key')}
            description={t('account.totp.setup.keyHint')}
            value={groupSecret(enrolment.totpSecret)}
            readOnly
            autosize
            classNames={{ input: classes.key }}
            onFocus={(event) => event.currentTarget.select()}
            rightSectionWidth={44}
            rightSection={
              <CopyButton label={t('account.totp.setup.copyKey')} text={enrolment.totpSecret} />
            }
          />
          <CodeInput
            label={t('account.totp.setup.code')}
            value={code}
            error={fault ?? refusal}
            isBusy={verify.isPending}
            onChange={(next) => {
              setCode(next)
              setFault(null)
              if (verify.isError) verify.reset()
            }}
            onComplete={submit}
          />
          <Button type="submit" loading={verify.isPending}>
            {t('account.totp.setup.submit')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
