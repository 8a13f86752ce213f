import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { logoVariants } from '@floe/contracts'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { SkipLink } from '../../../shared/components/SkipLink.tsx'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { categories, type Category, isCategory } from '../../../shared/settings/setting-places.ts'
import { fetchAdminConfig } from '../api/admin-config.ts'
import { ConfigForm } from '../components/ConfigForm.tsx'
import { LogoPanel } from '../components/LogoPanel.tsx'
import { TestMail } from '../components/TestMail.tsx'
import { TryDirectory } from '../components/TryDirectory.tsx'
import { toFields } from '../config-fields.ts'
import classes from './ConfigPage.module.css'

/** The settings of one category, in a shell of their own. */
export function Page() {
  const { t } = useTranslation()
  const { category = '' } = useParams()
  const bar = useCurrentInSight(category)
  if (!isCategory(category)) return <Navigate to={paths.adminConfig('general')} replace />
  return (
    <div className={classes.shell}>
      <PageTitle>{`${t(`admin.categories.${category}`)} · ${t('admin.configuration')}`}</PageTitle>
      <SkipLink />
      <header className={classes.header}>
        <PageLink to={paths.admin} className={classes.back}>
          <IconArrowLeft size={18} aria-hidden="true" />
          {t('admin.back')}
        </PageLink>
      </header>
      <nav
        ref={bar}
        className={classes.side}
        aria-label={t('admin.categoriesLabel')}
        onFocus={bringInSight}
      >
        {categories.map((name) => (
          <PageLink
            key={name}
            to={paths.adminConfig(name)}
            className={classes.link}
            aria-current={name === category ? 'page' : undefined}
          >
            {t(`admin.categories.${name}`)}
          </PageLink>
        ))}
      </nav>
      <main id="main" className={classes.main}>
        <Title order={1} size="h2" mb="lg">
          {t(`admin.categories.${category}`)}
        </Title>
        <Settings key={category} category={category} />
      </main>
    </div>
  )
}

/** On phones the categories are in one row that is wider than the screen. */
function useCurrentInSight(category: string) {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const current = bar.current?.querySelector('[aria-current="page"]')
    current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [category])
  return bar
}

/** Browsers leave a link where it is if only a little of it is in sight. */
function bringInSight({ target }: FocusEvent<HTMLElement>) {
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function Settings({ category }: { category: Category }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const config = useQuery({
    queryKey: queryKeys.adminConfig(category),
    queryFn: () => fetchAdminConfig(http, category),
    gcTime: 0,
    staleTime: 0,
  })
  if (config.isError) return <Text>{errorMessage(config.error)}</Text>
  if (!config.data) {
    return (
      <Stack gap="lg" aria-hidden="true">
        {Array.from({ length: 4 }, (_, row) => (
          <Skeleton key={row} height={64} radius="md" />
        ))}
      </Stack>
    )
  }
  const fields = toFields(config.data)
  if (fields.length === 0) return <Text c="dimmed">{t('admin.nothing')}</Text>
  return (
    <Stack gap="lg">
      {category === 'email' && <Text c="dimmed">{t('admin.mailLanguages')}</Text>}
      {category === 'notices' && <Text c="dimmed">{t('admin.notices')}</Text>}
      <ConfigForm category={category} fields={fields} version={config.dataUpdatedAt}>
        {category === 'general' &&
          logoVariants.map((variant) => <LogoPanel key={variant} variant={variant} />)}
        {category === 'smtp' && <TestMail />}
        {category === 'ldap' && <TryDirectory />}
      </ConfigForm>
    </Stack>
  )
}
