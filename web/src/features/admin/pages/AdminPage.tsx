import { Text, Title } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import classes from './AdminPage.module.css'

export function Page() {
  const { t } = useTranslation()
  const { version } = useSession()
  return (
    <PageColumn>
      <PageTitle>{t('admin.title')}</PageTitle>
      <Title order={1} size="h2" mb="lg">
        {t('admin.title')}
      </Title>
      <PageLink to={paths.adminConfig('general')} className={classes.tile}>
        <span className={classes.icon}>
          <IconSettings size={24} stroke={1.6} aria-hidden="true" />
        </span>
        <span>
          <Text component="span" fw={650} display="block">
            {t('admin.configuration')}
          </Text>
          <Text component="span" size="sm" c="dimmed">
            {t('admin.configurationHint')}
          </Text>
        </span>
      </PageLink>
      <Text size="sm" c="dimmed" ta="center" mt="xl">
        {t('admin.version', { version })}
      </Text>
    </PageColumn>
  )
}
