import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopiedText } from '../../../shared/components/CopiedText.tsx'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { HomeButton } from '../../../shared/components/HomeButton.tsx'
import { Page } from '../../../shared/components/Page.tsx'

export function LinkWithoutKey() {
  const { t } = useTranslation()
  return <Refusal text={t('share.encrypted.noKey')} />
}

/** An encrypted share that this link does not open. */
export function Refusal({ text }: { text: string }) {
  return <Locked text={text} action={<HomeButton />} />
}

/** For browsers that cannot decrypt: what can. */
export function OtherWay({ link }: { link: string }) {
  const { t } = useTranslation()
  const command = (
    <CopiedText
      label={t('share.encrypted.commandLine')}
      copyLabel={t('share.encrypted.copyCommand')}
      text={`floe get '${link}'`}
    />
  )
  return <Locked text={t('share.encrypted.text')} action={command} />
}

function Locked({ text, action }: { text: string; action: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Page>
      <DeadEnd scene="locked" title={t('share.encrypted.title')} text={text} action={action} />
    </Page>
  )
}
