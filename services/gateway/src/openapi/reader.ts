import { createHash } from 'node:crypto'
import express, { type RequestHandler, type Router } from 'express'
import { serveFiles, setup } from 'swagger-ui-express'
import { setContentPolicy } from '../edge/security-headers.ts'
import { createOpenApiDocument } from './document.ts'

const DOCS_PATH = '/api/docs'

/** The API's description at /api/docs/openapi.json, and a reader for people at /api/docs. */
export function createApiDocs({ version }: { version: string }): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const options = {
    customSiteTitle: 'Floe API',
    swaggerOptions: { url: `${DOCS_PATH}/openapi.json` },
  }
  let document: { bytes: Buffer; etag: string } | null = null

  router.get(`${DOCS_PATH}/openapi.json`, (_req, res) => {
    // Made when first asked for, as most processes never are, and one for all who read it.
    document ??= describe(version)
    res.type('application/json').set('ETag', document.etag).send(document.bytes)
  })
  // The reader's files are relative to its own address.
  router.get(DOCS_PATH, (_req, res) => res.redirect(308, `${DOCS_PATH}/`))
  router.use(`${DOCS_PATH}/`, relaxPolicy, ...serveFiles(undefined, options))
  router.get(`${DOCS_PATH}/`, setup(undefined, options))
  return router
}

function describe(version: string): { bytes: Buffer; etag: string } {
  const bytes = Buffer.from(JSON.stringify(createOpenApiDocument({ version })))
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** The reader is the same for everybody, and may be kept. */
const relaxPolicy: RequestHandler = (_req, res, next) => {
  setContentPolicy(res, 'reader')
  res.removeHeader('Cache-Control')
  next()
}
