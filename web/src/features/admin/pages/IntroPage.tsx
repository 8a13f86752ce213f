import { Button, Group, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FloeArt } from '../../../shared/components/FloeArt.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import classes from './IntroPage.module.css'

/** Greets whoever made the first account and so runs the place. */
export function Page() {
  const { t } = useTranslation()
  const { settings } = useSession()
  return (
    <PageColumn>
      <PageTitle>{t('intro.title')}</PageTitle>
      <div className={classes.intro}>
        <FloeArt className={classes.art} />
        <Title order={1}>{t('intro.welcome', { appName: settings['general.appName'] })}</Title>
        <Text c="dimmed" maw={480} size="lg">
          {t('intro.text')}
        </Text>
        <Group justify="center" mt="md">
          <Button component={PageLink} to={paths.adminConfig('general')} size="md">
            {t('intro.configure')}
          </Button>
          <Button component={PageLink} to={paths.upload} size="md" variant="default">
            {t('intro.start')}
          </Button>
        </Group>
      </div>
    </PageColumn>
  )
}
