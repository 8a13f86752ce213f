import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { WebhooksPanel } from '../../../shared/webhooks/WebhooksPanel.tsx'
import { ScreenTitle } from '../components/ScreenTitle.tsx'

/** Addresses that are told what happens on the whole site. */
export function Page() {
  const { t } = useTranslation()
  return (
    <PageColumn>
      <ScreenTitle>{t('webhooks.title')}</ScreenTitle>
      <Text c="dimmed" mb="lg">
        {t('webhooks.hintInstance')}
      </Text>
      <Panel p="lg">
        <WebhooksPanel scope="instance" />
      </Panel>
    </PageColumn>
  )
}
