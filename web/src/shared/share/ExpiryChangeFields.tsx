import { Checkbox, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useTranslation } from 'react-i18next'
import { ExpiryFields } from './ExpiryFields.tsx'
import type { ExpiryChange } from './use-expiry-change.ts'

interface ExpiryChangeFieldsProps {
  /** When it ends as it is, in a sentence. */
  current: string
  expiry: ExpiryChange
  allowsNever: boolean
  describe?: (date: string) => string
}

/** When something ends, and on request the fields that change it. */
export function ExpiryChangeFields(props: ExpiryChangeFieldsProps) {
  const { current, expiry, allowsNever, describe } = props
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={500}>
          {current}
        </Text>
        <Checkbox
          mt={8}
          label={t('edit.changeExpiry')}
          checked={expiry.isChanging}
          onChange={(event) => expiry.setChanging(event.currentTarget.checked)}
        />
      </div>
      {expiry.isChanging && (
        <ExpiryFields
          value={expiry.choice}
          error={expiry.error}
          allowsNever={allowsNever}
          onChange={expiry.setChoice}
          {...(describe && { describe })}
        />
      )}
    </Stack>
  )
}
