import {
  findPage,
  shareIdSchema,
  sharePagePath,
  SHORT_SHARE_PATH,
  usualIconPath,
} from '@floe/contracts'
import express, { type Request, type Router } from 'express'
import type { BootReader } from './boot.ts'
import { type LegalContent, readLegalContent } from './legal-page.ts'
import { renderManifest } from './manifest.ts'
import { isFilePath } from './file-paths.ts'
import { renderPageLinks } from './page-links.ts'
import { renderPreviewTags } from './preview-tags.ts'
import { logoTag, renderPage } from './render-page.ts'
import type { SharePageReader } from './share-page.ts'
import { findSiteAddress, requestAddress } from './site-address.ts'
import { findSiteStyle, renderStyleLinks } from './site-styles.ts'
import type { Site } from './site.ts'
import type { SiteIcons } from './site-icons.ts'
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

  router.get(SHORT_SHARE_PATH, (req, res, next) => {
    const id = shareIdSchema.safeParse(req.params.id)
    if (!id.success) return next()
    res.redirect(307, sharePagePath(id.data))
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
    const legal = await readLegalContent(req.path, options.site)
    if (legal && 'url' in legal) return res.redirect(302, legal.url)
    const page = await writePage(files, req, { ...options, legal })
    res.status(findPage(req.path) === null || legal === null ? 404 : 200)
    res.setHeader('Cache-Control', 'no-store')
    res.type('text/html').send(page)
  })
  return router
}

async function writePage(
  files: WebFiles,
  req: Request,
  { readBoot, readSharePage, publicUrl, legal }: PagesOptions & { legal: LegalContent },
): Promise<string> {
  const reading = readBoot(req)
  const [boot, share] = await Promise.all([reading, readSharePage(req, reading)])
  const view = {
    path: req.path,
    boot,
    share,
    ...(legal && 'text' in legal && { legalText: legal.text }),
  }
  const shell = await files.renderShell(view)
  const known = findSiteAddress([boot.settings['general.appUrl'], publicUrl])
  const base = known ?? requestAddress(req)
  return renderPage(files.page, boot, {
    title: shell.title,
    meta: renderPreviewTags({ ...view, shell, base, isBaseKnown: known !== null }),
    links: renderPageLinks(files.pageFiles, req.path, boot),
    styles: renderStyleLinks(boot, req.path),
    firstPaint: shell.firstPaint,
  })
}

async function findFile(
  files: WebFiles,
  req: Request,
  { site, siteIcons, version }: PagesOptions,
): Promise<WebFile | undefined> {
  const style = await findSiteStyle(req, { site, files })
  if (style !== null) return style
  const path = decodeURIComponent(req.path)
  // The dark logo is where the usual one was built: without one, that is there.
  const built = files.find(path) ?? files.find(usualIconPath(path))
  if (built === undefined) return undefined
  if (!manifests.test(path)) return (await siteIcons.find(path)) ?? built
  const [settings, logos] = await Promise.all([site.settings(), site.logos()])
  const appName = settings['general.appName']
  const tag = logoTag({ logo: logos.light, version })
  return toWebFile(path, renderManifest(built.content, { appName, logoTag: tag }))
}
