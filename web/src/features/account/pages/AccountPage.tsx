import { Stack, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { AppearanceSection } from '../components/AppearanceSection.tsx'
import { DeleteSection } from '../components/DeleteSection.tsx'
import { DevicesSection } from '../components/DevicesSection.tsx'
import { InfoSection } from '../components/InfoSection.tsx'
import { PasskeysSection } from '../components/PasskeysSection.tsx'
import { PasswordSection } from '../components/PasswordSection.tsx'
import { SocialSection } from '../components/SocialSection.tsx'
import { TokensSection } from '../components/TokensSection.tsx'
import { TotpSection } from '../components/TotpSection.tsx'
import { WebhooksSection } from '../components/WebhooksSection.tsx'

export function Page() {
  const { t } = useTranslation()
  const { user } = useSession()
  if (!user) return null
  return (
    <PageColumn>
      <PageTitle>{t('account.title')}</PageTitle>
      <Title order={1} size="h2" mb="lg">
        {t('account.title')}
      </Title>
      <Stack gap="lg">
        <InfoSection user={user} />
        {!user.isLdap && <PasswordSection user={user} />}
        {!user.isLdap && <SocialSection user={user} />}
        <TotpSection user={user} />
        <PasskeysSection user={user} />
        <DevicesSection />
        <TokensSection />
        <WebhooksSection />
        <AppearanceSection />
        <DeleteSection user={user} />
      </Stack>
    </PageColumn>
  )
}
