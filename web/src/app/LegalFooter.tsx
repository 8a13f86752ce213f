import { useTranslation } from 'react-i18next'
import { PageLink } from '../shared/components/PageLink.tsx'
import { useSession } from '../shared/session/session.ts'
import classes from './LegalFooter.module.css'

/** Below every page, where the operator has set an imprint or a privacy policy. */
export function LegalFooter() {
  const { t } = useTranslation()
  const { legal } = useSession()
  if (legal.imprint === null && legal.privacy === null) return null
  return (
    <footer className={classes.footer}>
      <LegalLink to={legal.imprint} label={t('nav.imprint')} />
      <LegalLink to={legal.privacy} label={t('nav.privacy')} />
    </footer>
  )
}

function LegalLink({ to, label }: { to: string | null; label: string }) {
  if (to === null) return null
  if (to.startsWith('/')) return <PageLink to={to}>{label}</PageLink>
  return (
    <a href={to} rel="noreferrer">
      {label}
    </a>
  )
}
