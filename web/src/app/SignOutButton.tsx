import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSignOut } from '../shared/session/use-sign-out.ts'

export function SignOutButton({ className }: { className: string | undefined }) {
  const { t } = useTranslation()
  const signOut = useSignOut()
  return (
    <UnstyledButton {...(className && { className })} onClick={() => void signOut()}>
      {t('nav.signOut')}
    </UnstyledButton>
  )
}
