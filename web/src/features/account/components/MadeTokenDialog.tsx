import { Button, Stack, Text, Textarea } from '@mantine/core'
import type { CreatedToken } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../shared/components/CopyButton.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { siteLink } from '../../../shared/share-link.ts'
import { examplePath } from '../token-values.ts'
import classes from './MadeTokenDialog.module.css'

/** Shows a token the only time it is known. A press beside the dialog does not close it. */
export function MadeTokenDialog({ made, onClose }: { made: CreatedToken; onClose: () => void }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const address = siteLink(examplePath(made.scopes), {
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
  // What it is most likely for, where it may.
  const curl = made.scopes.includes('shares:write') ? 'curl -T photo.jpg' : 'curl'
  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('account.tokens.made')}
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{t('account.tokens.madeText')}</Text>
        <Copied
          label={t('account.tokens.token')}
          copyLabel={t('account.tokens.copyToken')}
          text={made.token}
        />
        <Copied
          label={t('account.tokens.example')}
          copyLabel={t('account.tokens.copyExample')}
          text={`${curl} -H "Authorization: Bearer ${made.token}" ${address}`}
        />
        <Button size="md" onClick={onClose}>
          {t('upload.completed.done')}
        </Button>
      </Stack>
    </Dialog>
  )
}

function Copied({ label, copyLabel, text }: { label: string; copyLabel: string; text: string }) {
  return (
    <Textarea
      label={label}
      value={text}
      readOnly
      rows={2}
      dir="ltr"
      classNames={{ input: classes.input }}
      onFocus={(event) => event.currentTarget.select()}
      rightSectionWidth={44}
      rightSection={<CopyButton label={copyLabel} text={text} />}
    />
  )
}
