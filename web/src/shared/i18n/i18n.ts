import { DEFAULT_LANGUAGE } from '@floe/contracts'
import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Catalogue, type LoadedCatalogue, loadRestOfCatalogue } from './catalogues.ts'

const NAMESPACE = 'translation'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Catalogue }
    interpolationPrefix: '{'
    interpolationSuffix: '}'
    returnNull: false
  }
}

export async function createI18n({ locale, catalogue }: LoadedCatalogue): Promise<i18n> {
  const instance = createInstance()
  await instance.use(initReactI18next).init({
    lng: locale,
    fallbackLng: DEFAULT_LANGUAGE,
    resources: { [locale]: { [NAMESPACE]: catalogue } },
    returnEmptyString: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    initAsync: false,
    react: { useSuspense: false },
  })
  return instance
}

/** Whether it speaks more than the frame. */
export function hasAllTexts(i18n: i18n): boolean {
  return i18n.exists('home.title')
}

/** Adds what the frame goes without, ahead of any page that says more. */
export async function addRestOfCatalogue(i18n: i18n): Promise<void> {
  const { locale, catalogue } = await loadRestOfCatalogue(i18n.language)
  i18n.addResourceBundle(locale, NAMESPACE, catalogue)
}
