import {
  configCatalogue,
  type Language,
  type MailTemplateName,
  type Settings,
} from '@floe/contracts'
import ar from './texts/ar.json' with { type: 'json' }
import da from './texts/da.json' with { type: 'json' }
import de from './texts/de.json' with { type: 'json' }
import el from './texts/el.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import esEs from './texts/es-ES.json' with { type: 'json' }
import fi from './texts/fi.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }
import hu from './texts/hu.json' with { type: 'json' }
import it from './texts/it.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }
import ko from './texts/ko.json' with { type: 'json' }
import nl from './texts/nl.json' with { type: 'json' }
import pl from './texts/pl.json' with { type: 'json' }
import ptBr from './texts/pt-BR.json' with { type: 'json' }
import ru from './texts/ru.json' with { type: 'json' }
import sl from './texts/sl.json' with { type: 'json' }
import sr from './texts/sr.json' with { type: 'json' }
import sv from './texts/sv.json' with { type: 'json' }
import th from './texts/th.json' with { type: 'json' }
import uk from './texts/uk.json' with { type: 'json' }
import zhCn from './texts/zh-CN.json' with { type: 'json' }
import zhTw from './texts/zh-TW.json' with { type: 'json' }
import type { MailTemplate } from './render-mail.ts'

/** What messages say in one language, with the same placeholders in each. */
export type MailTexts = typeof en

const texts: Record<Language, MailTexts> = {
  ar,
  da,
  de,
  en,
  'es-ES': esEs,
  fr,
  it,
  hu,
  nl,
  pl,
  'pt-BR': ptBr,
  sl,
  fi,
  sv,
  el,
  ru,
  sr,
  uk,
  th,
  ko,
  ja,
  'zh-CN': zhCn,
  'zh-TW': zhTw,
}

/** What the button of a message says. */
const actions = {
  shareRecipients: 'openShare',
  reverseShare: 'openShare',
  shareDownloadNotification: 'openShare',
  shareReminder: 'openShare',
  resetPassword: 'newPassword',
  invite: 'firstPassword',
} as const satisfies Record<MailTemplateName, keyof MailTexts>

export function mailTexts(language: Language): MailTexts {
  return texts[language]
}

/** Of somebody who may have asked for none. */
export function mailLanguage(
  settings: Pick<Settings, 'general.defaultLanguage'>,
  asked: Language | null,
): Language {
  return asked ?? settings['general.defaultLanguage']
}

/** Of the messages that no administrator words. */
type FixedMailName =
  | 'approval'
  | 'confirmEmail'
  | 'deletion'
  | 'emailChangeNotice'
  | 'infectedFile'
  | 'shareCode'
  | 'verifyEmail'

type Wording = Pick<MailTemplate, 'subject' | 'message' | 'action' | 'language'>

/** In the reader's language. */
export function fixedWords(
  settings: Pick<Settings, 'general.defaultLanguage'>,
  name: FixedMailName,
  { action, language: asked }: { action: keyof MailTexts; language: Language | null },
): Wording {
  const language = mailLanguage(settings, asked)
  const own = mailTexts(language)
  return {
    subject: own[`${name}Subject`],
    message: own[`${name}Message`],
    action: own[action],
    language,
  }
}

/** As the administrator worded it; what was left as it came is said in the reader's language. */
export function wordMail(
  settings: Settings,
  template: MailTemplateName,
  asked: Language | null,
): Wording {
  const language = mailLanguage(settings, asked)
  const own = mailTexts(language)
  const subject = settings[`email.${template}Subject`]
  const message = settings[`email.${template}Message`]
  const isLeft = {
    subject: subject === configCatalogue[`email.${template}Subject`].default,
    message: message === configCatalogue[`email.${template}Message`].default,
  }
  // People who are sent a password have none to choose: the address is that of the sign-in page.
  const bearsPassword = template === 'invite' && message.includes('{password}')
  return {
    subject: isLeft.subject ? own[`${template}Subject`] : subject,
    message: isLeft.message ? own[`${template}Message`] : message,
    action: own[bearsPassword ? 'signIn' : actions[template]],
    ...(isLeft.message && { language }),
  }
}
