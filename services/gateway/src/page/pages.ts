import { isPlaceholderUrl, shareIdSchema } from '@floe/contracts'
import express, { type Request, type Router } from 'express'
import type { BootReader } from './boot.ts'
import { renderFirstPaint } from './first-paint.ts'
import { renderManifest } from './manifest.ts'
import { isFilePath, isPagePath } from './page-paths.ts'
import { renderPageLinks } from './page-links.ts'
import { nameOf } from './plain-share.ts'
import { renderPreviewTags } from './preview-tags.ts'
import { logoTag, renderPage } from './render-page.ts'
import type { SharePageReader } from './share-page.ts'
import type { Site } from './site.ts'
import type { SiteIcons } from './site-icons.ts'
import { createWords } from './words.ts'
import { loadWebFiles, sendFile, toWebFile, type WebFile, type WebFiles } from './web-files.ts'

const NOT_BUILT =
  'The web application is not built. Run the build, then reload; the API works meanwhile.\n'

export interface PagesOptions {
  webDirectory: string
  readBoot: BootReader
  readSharePage: SharePageReader
  site: Site
  /** Where people reach the site, when the operator says so. */
  publicUrl: string | null
  siteIcons: SiteIcons
  version: string
}

/** One for each language. */
const manifests = /^\/manifests\/[\w-]+\.webmanifest$/

/** The built web application: its files, and its page for every other path a browser opens. */
export function createPages(options: PagesOptions): Router {
  const { webDirectory } = options
  const router = express.Router({ caseSensitive: true })
  let files = loadWebFiles(webDirectory)

  router.get('/s/:id', (req, res, next) => {
    const id = shareIdSchema.safeParse(req.params.id)
    if (!id.success) return next()
    res.redirect(307, `/share/${encodeURIComponent(id.data)}`)
  })

  router.get('/{*path}', async (req, res, next) => {
    // A build that finished after the start is picked up without another one.
    files ??= loadWebFiles(webDirectory)
    if (files === null) {
      res.status(503).type('text/plain').send(NOT_BUILT)
      return
    }
    const file = await findFile(files, req, options)
    if (file) return sendFile(file, req, res)
    if (isFilePath(req.path) || !req.accepts('html')) return next()
    const page = await writePage(files, req, options)
    res.status(isPagePath(req.path) ? 200 : 404)
    res.setHeader('Cache-Control', 'no-store')
    res.type('text/html').send(page)
  })
  return router
}

async function writePage(
  files: WebFiles,
  req: Request,
  { readBoot, readSharePage, publicUrl }: PagesOptions,
): Promise<string> {
  const reading = readBoot(req)
  const [boot, share] = await Promise.all([reading, readSharePage(req, reading)])
  const words = createWords(files.texts, boot.language)
  const known = findBase([boot.settings['general.appUrl'], publicUrl])
  const base = known ?? askedBase(req)
  return renderPage(files.page, boot, {
    title: share && nameOf(share),
    meta: renderPreviewTags({
      boot,
      share,
      words,
      base,
      isBaseKnown: known !== null,
      path: req.path,
    }),
    links: renderPageLinks(files.pageFiles, req.path, boot),
    firstPaint: renderFirstPaint({ path: req.path, boot, share, words, classes: files.classes }),
  })
}

/** The first configured address of the site. */
function findBase(configured: readonly (string | null | undefined)[]): string | null {
  const known = configured.find((address) => address && !isPlaceholderUrl(address))
  return known ? known.replace(/\/+$/, '') : null
}

/** The address this request came to, as its sender tells it. */
function askedBase(req: Request): string {
  const asked = `${req.protocol}://${req.host ?? ''}`
  return URL.canParse(asked) ? new URL(asked).origin : ''
}

async function findFile(
  files: WebFiles,
  req: Request,
  { site, siteIcons, version }: PagesOptions,
): Promise<WebFile | undefined> {
  const path = decodeURIComponent(req.path)
  const built = files.find(path)
  if (built === undefined) return undefined
  if (!manifests.test(path)) return (await siteIcons.find(path)) ?? built
  const [settings, logo] = await Promise.all([site.settings(), site.logo()])
  const appName = settings['general.appName']
  const tag = logoTag({ logo, version })
  return toWebFile(path, renderManifest(built.content, { appName, logoTag: tag }))
}
