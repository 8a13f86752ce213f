import { useTranslation } from 'react-i18next'
import classes from './SkipLink.module.css'

/** The first thing that the keyboard meets: past the bar, to what the page is about. */
export function SkipLink() {
  const { t } = useTranslation()
  return (
    <a href="#main" className={classes.skip}>
      {t('nav.skip')}
    </a>
  )
}
