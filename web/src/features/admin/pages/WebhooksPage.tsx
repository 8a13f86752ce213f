import { Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { paths } from '../../../shared/paths.ts'
import { WebhooksPanel } from '../../../shared/webhooks/WebhooksPanel.tsx'
import { ScreenTitle } from '../components/ScreenTitle.tsx'

/** Addresses that are told what happens on the whole site. */
export function Page() {
  const { t } = useTranslation()
  return (
    <PageColumn>
      <PageTitle>{t('webhooks.title')}</PageTitle>
      <ScreenTitle
        back={
          <PageLink to={paths.admin}>
            <IconArrowLeft size={16} aria-hidden="true" />
            {t('admin.back')}
          </PageLink>
        }
      >
        {t('webhooks.title')}
      </ScreenTitle>
      <Text c="dimmed" mb="lg">
        {t('webhooks.hintInstance')}
      </Text>
      <Panel p="lg">
        <WebhooksPanel scope="instance" />
      </Panel>
    </PageColumn>
  )
}
