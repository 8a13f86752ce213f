import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { PageLink } from './PageLink.tsx'

/** Leads away from where nothing can be done. */
export function HomeButton() {
  const { t } = useTranslation()
  return (
    <Button component={PageLink} to={paths.home}>
      {t('notFound.home')}
    </Button>
  )
}
