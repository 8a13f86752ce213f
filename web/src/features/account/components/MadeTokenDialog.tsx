import { Button, Stack, Text } from '@mantine/core'
import type { CreatedToken } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { OnceDialog } from '../../../shared/leave/OnceDialog.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { siteLink } from '../../../shared/share-link.ts'
import { examplePath } from '../token-values.ts'
import { CopiedText } from '../../../shared/components/CopiedText.tsx'
import { TokenTools } from './TokenTools.tsx'

/** Shows a token the only time it is known. */
export function MadeTokenDialog({ made, onClose }: { made: CreatedToken; onClose: () => void }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const { token, scopes } = made
  const site = { appUrl: settings['general.appUrl'], origin: window.location.origin }
  const mayShare = scopes.includes('shares:write')
  const curl = [
    mayShare ? 'curl -T photo.jpg' : 'curl',
    `-H "Authorization: Bearer ${token}" ${siteLink(examplePath(scopes), site)}`,
  ].join(' ')
  return (
    <OnceDialog
      onClose={onClose}
      title={t('account.tokens.made')}
      warning={t('account.tokens.madeText')}
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{t('account.tokens.madeText')}</Text>
        <CopiedText
          label={t('account.tokens.token')}
          copyLabel={t('account.tokens.copyToken')}
          text={token}
        />
        {mayShare ? (
          <TokenTools curl={curl} tool={{ address: siteLink('', site), token }} />
        ) : (
          <CopiedText
            label={t('account.tokens.example')}
            copyLabel={t('account.tokens.copyExample')}
            text={curl}
          />
        )}
        <Button size="md" onClick={onClose}>
          {t('upload.completed.done')}
        </Button>
      </Stack>
    </OnceDialog>
  )
}
