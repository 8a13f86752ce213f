import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DeadEnd } from '../shared/components/DeadEnd.tsx'
import { Page } from '../shared/components/Page.tsx'

export function Crash() {
  const { t } = useTranslation()
  return (
    <Page>
      <DeadEnd
        title={t('errors.title')}
        text={t('errors.unknown')}
        action={<Button onClick={() => window.location.reload()}>{t('common.reload')}</Button>}
      />
    </Page>
  )
}
