import { useForm, type UseFormReturnType } from '@mantine/form'
import { largestShareBytes, MAX_REVERSE_SHARE_USES } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useFormRules } from '../../shared/form-rules.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useSession } from '../../shared/session/session.ts'
import type { ReverseShareValues } from './reverse-share-values.ts'
import { toBytes } from './size-choice.ts'

export type ReverseShareForm = UseFormReturnType<ReverseShareValues>

/** `minUses` is 0 where the link may be closed. */
export function useReverseShareForm({
  initialValues,
  minUses,
}: {
  initialValues: ReverseShareValues
  minUses: 0 | 1
}): ReverseShareForm {
  const { t } = useTranslation()
  const format = useFormat()
  const rules = useFormRules()
  const { settings, user } = useSession()
  const maxBytes = largestShareBytes(settings, user)
  return useForm<ReverseShareValues>({
    initialValues,
    validate: {
      size: (size) => {
        if (size.amount === '') return t('validation.number')
        const bytes = toBytes(size)
        if (bytes === null) return t('reverseShares.validation.size')
        return maxBytes > 0 && bytes > maxBytes
          ? t('reverseShares.validation.tooBig', { max: format.size(maxBytes) })
          : null
      },
      uses: (uses) => {
        if (typeof uses !== 'number') return t('validation.number')
        return uses >= minUses && uses <= MAX_REVERSE_SHARE_USES
          ? null
          : t('reverseShares.validation.uses', { min: minUses, max: MAX_REVERSE_SHARE_USES })
      },
      name: rules.shareName,
      password: rules.sharePassword,
      token: (token) => (token === '' ? null : rules.shareId(token)),
    },
  })
}
