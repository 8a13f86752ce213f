import { Alert, Button, Checkbox, Stack } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import type { OwnReverseShare } from '@floe/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { ExpiryChangeFields } from '../../../shared/share/ExpiryChangeFields.tsx'
import { useExpiryChange } from '../../../shared/share/use-expiry-change.ts'
import { type ReverseShareUpdate, updateReverseShare } from '../api/update-reverse-share.ts'
import { keptUntilOf, toUpdate, valuesOf } from '../reverse-share-values.ts'
import { useReverseShareForm } from '../use-reverse-share-form.ts'
import { ReverseShareFields } from './ReverseShareFields.tsx'

/** Changes what a reverse share allows, while its link stays. */
export function EditReverseShareDialog({
  reverseShare,
  onClose,
}: {
  reverseShare: OwnReverseShare
  onClose: () => void
}) {
  const { t } = useTranslation()
  const http = useHttp()
  const format = useFormat()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  // What has ended is opened to be given a new end.
  const keptUntil = keptUntilOf(reverseShare)
  const expiry = useExpiryChange(keptUntil !== undefined)
  const form = useReverseShareForm({ initialValues: valuesOf(reverseShare), minUses: 0 })
  const update = toUpdate(reverseShare, form.values, expiry.expiration)
  const save = useMutation({
    mutationFn: (changes: ReverseShareUpdate) => updateReverseShare(http, reverseShare.id, changes),
    onSuccess: async () => {
      onClose()
      notifySuccess(t('reverseShares.edit.saved'))
      await queryClient.invalidateQueries({ queryKey: queryKeys.ownReverseShares })
    },
  })
  const describe = (date: string) => t('reverseShares.expiresOn', { date })

  return (
    <Dialog opened onClose={onClose} title={t('reverseShares.edit.title')} size="lg">
      <form
        noValidate
        onSubmit={form.onSubmit(() => {
          if (expiry.error === null && update) save.mutate(update)
        })}
      >
        <Stack gap="md">
          <ReverseShareFields
            form={form}
            minUses={0}
            isSealed={reverseShare.receiver !== undefined}
            usesLabel={t('reverseShares.columns.remainingUses')}
            password={{
              label: reverseShare.hasPassword ? t('edit.newPassword') : t('share.fields.password'),
              placeholder: reverseShare.hasPassword
                ? t('edit.keepPassword')
                : t('share.fields.noPassword'),
              removal: reverseShare.hasPassword && (
                <Checkbox
                  label={t('edit.removePassword')}
                  {...form.getInputProps('removePassword', { type: 'checkbox' })}
                />
              ),
            }}
            expiry={
              <ExpiryChangeFields
                current={
                  keptUntil === undefined
                    ? describe(format.date(new Date(reverseShare.shareExpiration)))
                    : t('myShares.kept.until', { date: format.date(new Date(keptUntil)) })
                }
                expiry={expiry}
                allowsNever={false}
                describe={describe}
              />
            }
          />
          {save.isError && (
            <Alert color="red" role="alert">
              {errorMessage(save.error)}
            </Alert>
          )}
          <Button type="submit" size="md" disabled={update === null} loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
