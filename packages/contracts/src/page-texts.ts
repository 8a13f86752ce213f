import { z } from 'zod'
import { languageSchema } from './languages.ts'

/** Where the build of the page leaves what the gateway says in its own name. */
export const PAGE_TEXTS_FILE = 'page-texts.json'

/**
 * Texts of the page's catalogues that the gateway says itself: until the scripts run, to visitors
 * without JavaScript, and to link previews. Those that count have a form for each category of plurals.
 */
export const pageTextKeys = [
  'auth.signIn.title',
  'auth.signUp.title',
  'common.tryAgain',
  'errors.tooManyRequests',
  'home.description',
  'home.headline',
  'notFound.home',
  'share.deadEnd.notFound.text',
  'share.deadEnd.notFound.title',
  'share.deadEnd.private.text',
  'share.deadEnd.private.title',
  'share.deadEnd.removed.title',
  'share.deadEnd.unknown.text',
  'share.deadEnd.unknown.title',
  'share.deadEnd.views.text',
  'share.deadEnd.views.title',
  'share.downloadAll',
  'share.expiresOn',
  'share.folders.more',
  'share.neverExpires',
  'share.password.invalid',
  'share.password.label',
  'share.password.submit',
  'share.password.text',
  'share.password.title',
  'share.preparing',
  'share.preview.download',
  'share.summary',
  'upload.drop.hint',
  'upload.drop.hintWithLimit',
  'upload.drop.title',
  'upload.title',
] as const
export type PageTextKey = (typeof pageTextKeys)[number]

/** Language → key, or key and category (`share.summary_other`) → text. */
export const pageTextsSchema = z.record(languageSchema, z.record(z.string(), z.string()))
export type PageTexts = z.infer<typeof pageTextsSchema>
