import { z } from 'zod'

/** Where the build of the page leaves what the classes of its modules are called there. */
export const PAGE_CLASSES_FILE = 'page-classes.json'

/** Module and class of what the gateway draws as the application does, before the scripts run. */
export const pageClassKeys = [
  'Art.art',
  'AuthCard.head',
  'AuthCard.logo',
  'FileDrop.content',
  'FileDrop.title',
  'FileDrop.zone',
  'HeroArt.art',
  'HeroArt.sky',
  'HomePage.actions',
  'HomePage.headline',
  'HomePage.hero',
  'HomePage.logo',
  'HomePage.page',
  'HomePage.words',
  'NavigationBar.brand',
  'NavigationBar.header',
  'NavigationBar.inner',
  'Page.page',
  'ShareContents.description',
  'ShareContents.head',
  'ShareContents.title',
  'ShareContents.words',
] as const

export const pageClassesSchema = z.record(z.enum(pageClassKeys), z.string())
export type PageClasses = z.infer<typeof pageClassesSchema>
