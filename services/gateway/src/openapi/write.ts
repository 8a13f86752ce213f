import { readFileSync, writeFileSync } from 'node:fs'
import { createOpenApiDocument } from './document.ts'

// Writes docs/openapi.json; a test fails while it differs from what the contracts say.
const root = new URL('../../../../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  version: string
}
writeFileSync(
  new URL('docs/openapi.json', root),
  `${JSON.stringify(createOpenApiDocument({ version }), null, 2)}\n`,
)
