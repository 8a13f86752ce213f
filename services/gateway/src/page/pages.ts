import { shareIdSchema } from '@floe/contracts'
import express, { type Router } from 'express'
import type { BootReader } from './boot.ts'
import { isFilePath, isPagePath } from './page-paths.ts'
import { renderPage } from './render-page.ts'
import { loadWebFiles } from './web-files.ts'

const NOT_BUILT =
  'The web application is not built. Run the build, then reload; the API works meanwhile.\n'

export interface PagesOptions {
  webDirectory: string
  readBoot: BootReader
}

/** The built web application: its files, and its page for every other path a browser opens. */
export function createPages({ webDirectory, readBoot }: PagesOptions): Router {
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
    if (files.send(req, res)) return
    if (isFilePath(req.path) || !req.accepts('html')) return next()
    const html = renderPage(files.page, await readBoot(req))
    res.status(isPagePath(req.path) ? 200 : 404)
    res.setHeader('Cache-Control', 'no-store')
    res.type('text/html').send(html)
  })
  return router
}
