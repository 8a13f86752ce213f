import { Accordion, NativeSelect, NumberInput, Stack, Textarea } from '@mantine/core'
import '@mantine/core/styles/Accordion.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { TokenValues } from '../token-values.ts'
import { useDurations } from '../use-durations.ts'

const longestExpiries = ['1-day', '7-days', '30-days', '90-days', '1-year']

/** What a token may less than its scopes let it; few need it, so it lies in a fold. */
export function TokenLimits({ form }: { form: UseFormReturnType<TokenValues> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const durations = useDurations()
  const asAccount = t('account.tokens.asAccount')
  return (
    <Accordion variant="separated" radius="md" order={3}>
      <Accordion.Item value="limits">
        <Accordion.Control>{t('account.tokens.restrict')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <Textarea
              label={t('account.tokens.networks')}
              description={t('account.tokens.networksHint')}
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
              rows={2}
              {...form.getInputProps('networks')}
            />
            <NumberInput
              label={t('admin.users.shareSizeLimit', { unit: format.sizeUnit('gigabyte') })}
              placeholder={asAccount}
              min={0}
              max={9_000_000}
              decimalScale={9}
              allowNegative={false}
              {...form.getInputProps('shareGigabytes')}
            />
            <NativeSelect
              label={t('account.tokens.maxExpiration')}
              data={[
                { value: '', label: asAccount },
                ...longestExpiries.map((value) => ({ value, label: durations(value) })),
              ]}
              {...form.getInputProps('maxExpiration')}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
