import { shareKeyOfLink } from '@floe/encryption'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopiedText } from '../../../shared/components/CopiedText.tsx'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { paths } from '../../../shared/paths.ts'

/** A share that this page cannot open: how it is opened, or what its link lacks. */
export function EncryptedShare() {
  const { t } = useTranslation()
  const link = window.location.href
  return (
    <Page>
      {shareKeyOfLink(link) === null ? (
        <DeadEnd
          scene="locked"
          title={t('share.encrypted.title')}
          text={t('share.encrypted.noKey')}
          action={
            <Button component={PageLink} to={paths.home}>
              {t('notFound.home')}
            </Button>
          }
        />
      ) : (
        <DeadEnd
          scene="locked"
          title={t('share.encrypted.title')}
          text={t('share.encrypted.text')}
          action={
            <CopiedText
              label={t('share.encrypted.commandLine')}
              copyLabel={t('share.encrypted.copyCommand')}
              text={`floe get '${link}'`}
            />
          }
        />
      )}
    </Page>
  )
}
