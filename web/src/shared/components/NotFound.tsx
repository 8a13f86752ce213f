import { useTranslation } from 'react-i18next'
import { DeadEnd } from './DeadEnd.tsx'
import { HomeButton } from './HomeButton.tsx'
import { Page } from './Page.tsx'

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
        action={<HomeButton />}
      />
    </Page>
  )
}
