import { MantineProvider } from '@mantine/core'
import { findPage, type PageShell, type PageView } from '@floe/contracts'
import type { i18n } from 'i18next'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { StaticRouter } from 'react-router'
import { loadFrameCatalogue, loadRestOfCatalogue } from '../../shared/i18n/catalogues.ts'
import { createI18n } from '../../shared/i18n/i18n.ts'
import type { MarkdownTree } from '../../shared/markdown/markdown.ts'
import { type Session, SessionContext } from '../../shared/session/session.ts'
import { DocumentScheme } from '../../shared/session/use-color-scheme.ts'
import { theme } from '../theme.ts'
import { accentStyles } from '../theme-styles.ts'
import { FirstPaint } from './FirstPaint.tsx'
import { describePage, summaryOf, titleKeyOf } from './share-texts.ts'

/**
 * What a document shows before its scripts run, and where none does. The build makes a module of
 * this for the gateway, so that both draw with the same components.
 */
export async function renderShell(view: PageView): Promise<PageShell> {
  const { boot, share } = view
  const i18n = await findI18n(boot.language)
  const t = i18n.t
  const titleKey = titleKeyOf(view)
  return {
    title: share ? (describePage(share, i18n)?.heading ?? null) : titleKey && t(titleKey),
    siteDescription: t('home.description'),
    shareSummary: share?.preview ? summaryOf(share.preview, i18n) : null,
    firstPaint: renderFirstPaint(view, i18n, await readLegal(view)),
  }
}

/** Only these pages need what reads Markdown. */
async function readLegal({ legalText }: PageView): Promise<MarkdownTree | null> {
  if (legalText === undefined) return null
  const { toLegalTree } = await import('../../features/legal/to-legal-tree.ts')
  return toLegalTree(legalText)
}

/** The style sheet of a theme that follows this color. */
export const renderAccent = accentStyles

function renderFirstPaint(view: PageView, i18n: i18n, legal: MarkdownTree | null): string {
  const html = renderToStaticMarkup(
    <Providers view={view} i18n={i18n}>
      <FirstPaint view={view} page={findPage(view.path)} legal={legal} />
    </Providers>,
  )
  // React asks ahead for images, which stand right behind it.
  return html.replace(/^(?:<link rel="preload" as="image"[^>]*>)+/, '')
}

const languages = new Map<string, Promise<i18n>>()

function findI18n(language: string): Promise<i18n> {
  const known = languages.get(language) ?? loadI18n(language)
  languages.set(language, known)
  return known
}

async function loadI18n(language: string): Promise<i18n> {
  const [frame, rest] = await Promise.all([
    loadFrameCatalogue(language),
    loadRestOfCatalogue(language),
  ])
  return createI18n({ ...frame, catalogue: { ...frame.catalogue, ...rest.catalogue } })
}

function Providers({ view, i18n, children }: { view: PageView; i18n: i18n; children: ReactNode }) {
  const scheme = view.boot.colorScheme
  return (
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false}>
      <I18nextProvider i18n={i18n}>
        <SessionContext value={toSession(view)}>
          <DocumentScheme value={scheme === 'auto' ? 'system' : scheme}>
            <StaticRouter location={view.path}>{children}</StaticRouter>
          </DocumentScheme>
        </SessionContext>
      </I18nextProvider>
    </MantineProvider>
  )
}

function toSession({ boot }: PageView): Session {
  const { user, settings, legal, logo, darkLogo, isSetUp, hasAccounts, version, demo } = boot
  const ignore = () => undefined
  return {
    ...{ user, settings, legal, isSetUp, hasAccounts, version, demo, landing: null },
    logos: { light: logo, dark: darkLogo },
    ...{ signedIn: ignore, changeUser: ignore, changeSettings: ignore },
    ...{ changeLogo: ignore, finishSetup: ignore },
  }
}
