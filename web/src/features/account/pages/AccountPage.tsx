import { Alert, Stack, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { IconShieldLock } from '@tabler/icons-react'
import type { UserView } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { AppearanceSection } from '../components/AppearanceSection.tsx'
import { DataSection } from '../components/DataSection.tsx'
import { DeleteSection } from '../components/DeleteSection.tsx'
import { DevicesSection } from '../components/DevicesSection.tsx'
import { InfoSection } from '../components/InfoSection.tsx'
import { PasskeysSection } from '../components/PasskeysSection.tsx'
import { PasswordSection } from '../components/PasswordSection.tsx'
import { SocialSection } from '../components/SocialSection.tsx'
import { TokensSection } from '../components/TokensSection.tsx'
import { TotpSection } from '../components/TotpSection.tsx'
import { WebhooksSection } from '../components/WebhooksSection.tsx'

function ProfileSections({ user }: { user: UserView }) {
  return (
    <>
      <InfoSection user={user} />
      {!user.isLdap && <PasswordSection user={user} />}
      {!user.isLdap && <SocialSection user={user} />}
    </>
  )
}

function OtherSections({ user }: { user: UserView }) {
  return (
    <>
      <DevicesSection />
      <TokensSection />
      <WebhooksSection />
      <AppearanceSection />
      <DataSection />
      <DeleteSection user={user} />
    </>
  )
}

export function Page() {
  const { t } = useTranslation()
  const { user } = useSession()
  if (!user) return null
  const mayOnlySetUp = user.mustSetUpSecondFactor ?? false
  return (
    <PageColumn>
      <PageTitle>{t('account.title')}</PageTitle>
      <Title order={1} size="h2" mb="lg">
        {t('account.title')}
      </Title>
      {mayOnlySetUp && (
        <Alert mb="lg" color="yellow" icon={<IconShieldLock size={18} />}>
          {t('account.secondFactorRequired')}
        </Alert>
      )}
      <Stack gap="lg">
        {!mayOnlySetUp && <ProfileSections user={user} />}
        <TotpSection user={user} />
        <PasskeysSection user={user} />
        {!mayOnlySetUp && <OtherSections user={user} />}
      </Stack>
    </PageColumn>
  )
}
