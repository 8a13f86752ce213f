import { Anchor, Button, Group } from '@mantine/core'
import '@mantine/core/styles/Anchor.layer.css'
import { pagePath } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { Section } from './Section.tsx'

export function DataSection() {
  const { t } = useTranslation()
  const http = useHttp()

  async function download() {
    // The browser asks by itself, so the session has to be fresh before.
    await http.ensureFresh()
    window.location.assign('/api/users/me/data')
  }

  return (
    <Section title={t('account.data.title')} hint={t('account.data.hint')}>
      <Group gap="md">
        <Button variant="default" onClick={() => void download()}>
          {t('account.data.download')}
        </Button>
        <Anchor component={PageLink} to={pagePath('storedData')} size="sm">
          {t('account.data.about')}
        </Anchor>
      </Group>
    </Section>
  )
}
