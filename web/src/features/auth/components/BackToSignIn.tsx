import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { paths } from '../../../shared/paths.ts'

export function BackToSignIn({ landing }: { landing?: string }) {
  const { t } = useTranslation()
  return (
    <Button
      component={PageLink}
      to={landing === undefined ? paths.signIn : paths.signInAndReturn(landing)}
      fullWidth
    >
      {t('auth.backToSignIn')}
    </Button>
  )
}
