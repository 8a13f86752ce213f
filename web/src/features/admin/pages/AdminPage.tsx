import { Text, Title } from '@mantine/core'
import {
  IconFiles,
  IconListDetails,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import { ReleaseNotice } from '../components/ReleaseNotice.tsx'
import { VersionLine } from '../components/VersionLine.tsx'
import { OverviewSection } from '../overview/OverviewSection.tsx'
import classes from './AdminPage.module.css'

export function Page() {
  const { t } = useTranslation()
  const tiles = [
    {
      to: paths.adminUsers,
      icon: IconUsers,
      title: t('admin.users.title'),
      hint: t('admin.users.hint'),
    },
    {
      to: paths.adminShares,
      icon: IconFiles,
      title: t('admin.shares.title'),
      hint: t('admin.shares.hint'),
    },
    {
      to: paths.adminConfig('general'),
      icon: IconSettings,
      title: t('admin.configuration'),
      hint: t('admin.configurationHint'),
    },
    {
      to: paths.adminAudit,
      icon: IconListDetails,
      title: t('audit.title'),
      hint: t('audit.hint'),
    },
    {
      to: paths.adminWebhooks,
      icon: IconWebhook,
      title: t('webhooks.title'),
      hint: t('webhooks.hintInstance'),
    },
  ]
  return (
    <PageColumn>
      <PageTitle>{t('admin.title')}</PageTitle>
      <Title order={1} size="h2" mb="lg">
        {t('admin.title')}
      </Title>
      <ReleaseNotice />
      <div className={classes.tiles}>
        {tiles.map(({ to, icon: Icon, title, hint }) => (
          <PageLink key={to} to={to} className={classes.tile}>
            <span className={classes.icon}>
              <Icon size={24} stroke={1.6} aria-hidden="true" />
            </span>
            <span>
              <Text component="span" fw={650} display="block">
                {title}
              </Text>
              <Text component="span" size="sm" c="dimmed">
                {hint}
              </Text>
            </span>
          </PageLink>
        ))}
      </div>
      <OverviewSection />
      <VersionLine />
    </PageColumn>
  )
}
