import { Alert, Button, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { updateShare } from '../api/update-share.ts'
import { Dialog } from '../components/Dialog.tsx'
import { DialogFoot } from '../components/DialogFoot.tsx'
import { notifySuccess } from '../notify.ts'
import { ExpiryFields } from './ExpiryFields.tsx'
import { useExpiryChoice } from './use-expiry-choice.ts'

interface ReviveDialogProps {
  share: { id: string; name: string | null }
  onClose: () => void
}

/** Asks until when an expired share is to open again. */
export function ReviveDialog({ share, onClose }: ReviveDialogProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const { choice, error, allowsNever, expiration, setChoice } = useExpiryChoice()
  const revive = useMutation({
    mutationFn: () => updateShare(http, share.id, { expiration }),
    onSuccess: async () => {
      onClose()
      notifySuccess(t('myShares.kept.done'))
      await queryClient.invalidateQueries({ queryKey: ['shares'] })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    // To React this form lies within one that the button is in.
    event.stopPropagation()
    if (error === null) revive.mutate()
  }

  const title = t('myShares.kept.actionOn', { name: share.name ?? share.id })
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{t('myShares.kept.text')}</Text>
          <ExpiryFields
            value={choice}
            error={error}
            allowsNever={allowsNever}
            onChange={setChoice}
          />
          {revive.isError && (
            <Alert color="red" role="alert">
              {errorMessage(revive.error)}
            </Alert>
          )}
          <DialogFoot>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={revive.isPending}>
              {t('myShares.kept.action')}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Dialog>
  )
}
