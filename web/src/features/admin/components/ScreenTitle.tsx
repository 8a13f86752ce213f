import { Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import classes from './ScreenTitle.module.css'

/** The name of a page of the administration, and the way back. */
export function ScreenTitle({ children }: { children: string }) {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle>{children}</PageTitle>
      <div className={classes.back}>
        <PageLink to={paths.admin}>
          <IconArrowLeft size={16} aria-hidden="true" />
          {t('admin.back')}
        </PageLink>
      </div>
      <Title order={1} size="h2" className={classes.title ?? ''}>
        {children}
      </Title>
    </>
  )
}
