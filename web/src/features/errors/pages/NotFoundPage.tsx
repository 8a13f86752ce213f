import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'

export function Page() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle>{t('notFound.title')}</PageTitle>
      <NotFound />
    </>
  )
}

export function NotFound() {
  const { t } = useTranslation()
  return (
    <PageColumn>
      <DeadEnd
        scene="lost"
        mark="404"
        title={t('notFound.title')}
        text={t('notFound.text')}
        action={
          <Button component={PageLink} to={paths.home}>
            {t('notFound.home')}
          </Button>
        }
      />
    </PageColumn>
  )
}
