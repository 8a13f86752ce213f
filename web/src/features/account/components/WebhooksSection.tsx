import { useTranslation } from 'react-i18next'
import { WebhooksPanel } from '../../../shared/webhooks/WebhooksPanel.tsx'
import { Section } from './Section.tsx'

/** Addresses that are told what happens to the account's shares. */
export function WebhooksSection() {
  const { t } = useTranslation()
  return (
    <Section title={t('webhooks.title')} hint={t('webhooks.hint')}>
      <WebhooksPanel scope="own" />
    </Section>
  )
}
