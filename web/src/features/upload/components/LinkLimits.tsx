import { Text } from '@mantine/core'
import type { ReverseShareView } from '@floe/contracts'
import { IconClock, IconDatabase, IconLock, IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import classes from './LinkLimits.module.css'

/** What a link lets people send. */
export function LinkLimits({
  reverseShare,
  maxBytes,
}: {
  reverseShare: ReverseShareView
  maxBytes: number
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { remainingUses, shareExpiration, publicKey } = reverseShare
  const limits = [
    { icon: IconDatabase, text: t('send.limits.size', { maxSize: format.size(maxBytes) }) },
    { icon: IconSend, text: t('send.limits.uses', { count: remainingUses }) },
    {
      icon: IconClock,
      text: t('send.limits.until', { date: format.date(new Date(shareExpiration)) }),
    },
    ...(publicKey ? [{ icon: IconLock, text: t('send.limits.encrypted') }] : []),
  ]
  return (
    <>
      <Text c="dimmed" size="sm" mt={4}>
        {t('send.hint')}
      </Text>
      <ul className={classes.limits} aria-label={t('send.limits.label')}>
        {limits.map(({ icon: Icon, text }) => (
          <li key={text}>
            <Icon size={16} stroke={1.8} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
