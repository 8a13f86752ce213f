import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { DeadEnd } from './DeadEnd.tsx'
import { Page } from './Page.tsx'
import { PageLink } from './PageLink.tsx'

/** What stands where there is no page. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page>
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
    </Page>
  )
}
