import { shareIdSchema } from '@floe/contracts'
import express, { type Request, type Router } from 'express'
import type { BootReader } from './boot.ts'
import { renderManifest } from './manifest.ts'
import { isFilePath, isPagePath } from './page-paths.ts'
import { logoTag, renderPage } from './render-page.ts'
import type { Site } from './site.ts'
import type { SiteIcons } from './site-icons.ts'
import { loadWebFiles, sendFile, toWebFile, type WebFile, type WebFiles } from './web-files.ts'

const NOT_BUILT =
  'The web application is not built. Run the build, then reload; the API works meanwhile.\n'

export interface PagesOptions {
  webDirectory: string
  readBoot: BootReader
  site: Site
  siteIcons: SiteIcons
  version: string
}

/** One for each language. */
const manifests = /^\/manifests\/[\w-]+\.webmanifest$/

/** The built web application: its files, and its page for every other path a browser opens. */
export function createPages({ webDirectory, readBoot, ...own }: PagesOptions): Router {
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
    const file = await findFile(files, req, own)
    if (file) return sendFile(file, req, res)
    if (isFilePath(req.path) || !req.accepts('html')) return next()
    const html = renderPage(files.page, await readBoot(req))
    res.status(isPagePath(req.path) ? 200 : 404)
    res.setHeader('Cache-Control', 'no-store')
    res.type('text/html').send(html)
  })
  return router
}

async function findFile(
  files: WebFiles,
  req: Request,
  { site, siteIcons, version }: Omit<PagesOptions, 'webDirectory' | 'readBoot'>,
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
