import { Button, Group } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DeadEnd } from '../shared/components/DeadEnd.tsx'
import { Page } from '../shared/components/Page.tsx'
import { useHandler } from '../shared/use-handler.ts'

export function Crash({ onTryAgain }: { onTryAgain: () => void }) {
  const { t } = useTranslation()
  const tryAgain = useHandler(onTryAgain)
  useEffect(() => {
    window.addEventListener('online', tryAgain)
    return () => window.removeEventListener('online', tryAgain)
  }, [tryAgain])
  return (
    <Page>
      <DeadEnd
        title={t('errors.title')}
        text={t('errors.unknown')}
        action={
          <Group justify="center">
            <Button onClick={tryAgain}>{t('common.tryAgain')}</Button>
            <Button variant="default" onClick={() => window.location.reload()}>
              {t('common.reload')}
            </Button>
          </Group>
        }
      />
    </Page>
  )
}
