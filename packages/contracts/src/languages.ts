import { z } from 'zod'

/** Languages Floe speaks: code (BCP 47) → the language's own name, in the order of names. */
export const languageNames = {
  ar: 'العربية',
  da: 'Dansk',
  de: 'Deutsch',
  en: 'English',
  'es-ES': 'Español',
  fr: 'Français',
  it: 'Italiano',
  hu: 'Magyar',
  nl: 'Nederlands',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  sl: 'Slovenščina',
  fi: 'Suomi',
  sv: 'Svenska',
  el: 'Ελληνικά',
  ru: 'Русский',
  sr: 'Српски',
  uk: 'Українська',
  th: 'ไทย',
  ko: '한국어',
  ja: '日本語',
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
} as const

export type Language = keyof typeof languageNames

export const DEFAULT_LANGUAGE = 'en' satisfies Language

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(languageNames, code)
}

/** In the order of names. */
export const languages = Object.keys(languageNames).filter(isLanguage)

export const languageSchema = z.literal(languages)

/** As it was stored; a language that is gone by now is none. */
export function toLanguage(stored: string | null): Language | null {
  return stored !== null && isLanguage(stored) ? stored : null
}
