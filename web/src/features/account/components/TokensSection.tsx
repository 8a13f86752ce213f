import { Button } from '@mantine/core'
import type { ApiToken } from '@floe/contracts'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../shared/lazy-part.ts'
import { RevokeTokenDialog } from '../../../shared/tokens/RevokeTokenDialog.tsx'
import { TokenList } from '../../../shared/tokens/TokenList.tsx'
import { Section } from './Section.tsx'

// Rarely needed, and the largest form of the page.
const NewTokenDialog = lazyPart(
  () => import('./NewTokenDialog.tsx'),
  ({ NewTokenDialog }) => NewTokenDialog,
)

/** Tokens by which scripts act for the account, without its password. */
export function TokensSection() {
  const { t } = useTranslation()
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  return (
    <Section title={t('account.tokens.title')} hint={t('account.tokens.hint')}>
      <TokenList userId={null} label={t('account.tokens.title')} onRevoke={setRevoking} />
      <Button
        variant="default"
        mt="lg"
        leftSection={<IconPlus size={17} />}
        onClick={() => setIsMaking(true)}
      >
        {t('account.tokens.create')}
      </Button>
      {revoking && (
        <RevokeTokenDialog userId={null} token={revoking} onClose={() => setRevoking(null)} />
      )}
      <Suspense>{isMaking && <NewTokenDialog onClose={() => setIsMaking(false)} />}</Suspense>
    </Section>
  )
}
