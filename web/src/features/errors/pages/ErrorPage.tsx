import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths, safeRedirect } from '../../../shared/paths.ts'
import { errorKeyOf, providerNameOf } from '../error-keys.ts'

/** Where failed flows land: `?error=&params=&redirect=`. */
export function Page() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const provider = providerNameOf(search.get('params')) ?? t('errorPage.anyProvider')
  const text = t(errorKeyOf(search.get('error')), { provider })
  return (
    <PageColumn>
      <PageTitle>{t('errorPage.title')}</PageTitle>
      <DeadEnd
        title={t('errorPage.title')}
        text={text}
        action={
          <Button component={PageLink} to={safeRedirect(search.get('redirect')) ?? paths.home}>
            {t('errorPage.back')}
          </Button>
        }
      />
    </PageColumn>
  )
}
