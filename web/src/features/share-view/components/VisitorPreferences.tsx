import { languageNames, languages } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import type { ColorScheme } from '../../../shared/session/preferences.ts'
import { usePreferences } from '../../../shared/session/use-preferences.ts'
import classes from './VisitorPreferences.module.css'

const schemes: readonly ColorScheme[] = ['system', 'light', 'dark']

/** Language and colours for people without an account page; quiet, at the foot of a share. */
export function VisitorPreferences() {
  const { t } = useTranslation()
  const { locale, colorScheme, changeScheme, changeLocale } = usePreferences()
  return (
    <div className={classes.preferences}>
      <select
        className={classes.choice}
        aria-label={t('nav.language')}
        value={locale}
        onChange={(event) => changeLocale(event.currentTarget.value)}
      >
        <option value="system">{`${t('nav.language')}: ${t('nav.system')}`}</option>
        {languages.map((code) => (
          <option key={code} value={code}>
            {languageNames[code]}
          </option>
        ))}
      </select>
      <select
        className={classes.choice}
        aria-label={t('nav.colorScheme')}
        value={colorScheme}
        onChange={(event) => {
          const chosen = schemes.find((scheme) => scheme === event.currentTarget.value)
          if (chosen) changeScheme(chosen)
        }}
      >
        {schemes.map((scheme) => (
          <option key={scheme} value={scheme}>
            {`${t('nav.colorScheme')}: ${t(`nav.${scheme}`)}`}
          </option>
        ))}
      </select>
    </div>
  )
}
