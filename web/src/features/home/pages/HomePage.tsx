import { Button, Text, Title } from '@mantine/core'
import {
  IconArrowRight,
  IconBrandGithub,
  IconInfinity,
  IconLock,
  IconServer2,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { SiteLogo } from '../../../shared/components/SiteLogo.tsx'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { HeroArt } from '../components/HeroArt.tsx'
import classes from './HomePage.module.css'

export function Page() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle>{t('home.title')}</PageTitle>
      <Home />
    </>
  )
}

/** What the product is, for visitors who are not signed in. */
export function Home() {
  const { t } = useTranslation()
  const { settings, logos } = useSession()
  const repository = settings['general.releaseRepository']
  const start = settings['share.allowRegistration'] ? paths.signUp : paths.signIn
  const points = [
    { icon: IconServer2, title: t('home.selfHosted.title'), text: t('home.selfHosted.text') },
    { icon: IconLock, title: t('home.privacy.title'), text: t('home.privacy.text') },
    { icon: IconInfinity, title: t('home.noLimit.title'), text: t('home.noLimit.text') },
  ]

  return (
    <main id="main" className={classes.page}>
      <div className={classes.hero}>
        <div className={classes.words}>
          <Title order={1} className={classes.headline}>
            {t('home.headline')}
          </Title>
          <Text size="lg" c="dimmed" maw={520}>
            {t('home.description')}
          </Text>
          <div className={classes.actions}>
            <Button
              component={PageLink}
              to={start}
              size="md"
              rightSection={<IconArrowRight size={18} className={classes.forward} />}
            >
              {t('home.getStarted')}
            </Button>
            {repository !== '' && (
              <Button
                component="a"
                href={`https://github.com/${repository}`}
                target="_blank"
                rel="noreferrer"
                variant="default"
                size="md"
                leftSection={<IconBrandGithub size={18} />}
              >
                {t('home.sourceCode')}
              </Button>
            )}
          </div>
        </div>
        {logos.light === null && logos.dark === null ? (
          <HeroArt />
        ) : (
          <SiteLogo edge={200} alt="" className={classes.logo} />
        )}
      </div>
      <ul className={classes.points}>
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title} className={classes.point}>
            <span className={classes.icon}>
              <Icon size={22} stroke={1.7} aria-hidden="true" />
            </span>
            <Title order={2} size="h4">
              {title}
            </Title>
            <Text c="dimmed" size="sm">
              {text}
            </Text>
          </li>
        ))}
      </ul>
    </main>
  )
}
