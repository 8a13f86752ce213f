import { useTranslation } from 'react-i18next'
import { NotFound } from '../../../shared/components/NotFound.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'

export function Page() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle>{t('notFound.title')}</PageTitle>
      <NotFound />
    </>
  )
}
