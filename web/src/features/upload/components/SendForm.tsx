import { Stack, Text, TextInput } from '@mantine/core'
import type { ReverseShareView } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { DraftForm } from '../use-draft-form.ts'
import { AboutFields } from './ShareOptions.tsx'

interface SendFormProps {
  draft: Pick<DraftForm, 'form' | 'asksSenderName'>
  reverseShare: ReverseShareView
}

/**
 * Who sends what, to be filled in while the files are sent. When it ends is its receiver's choice,
 * and senders hand on no link that they could word or protect.
 */
export function SendForm({ draft: { form, asksSenderName }, reverseShare }: SendFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { simplified, shareExpiration } = reverseShare
  return (
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
      <AboutFields form={form} {...(simplified && { nameLabel: t('send.subject') })} />
      <Text size="sm" c="dimmed">
        {t('send.keptUntil', { date: format.date(new Date(shareExpiration)) })}
      </Text>
    </Stack>
  )
}
