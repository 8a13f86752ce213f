import { writeFileSync } from 'node:fs'
import { RELEASE_VERSION } from '@floe/contracts'
import { createOpenApiDocument } from './document.ts'

// Writes docs/openapi.json; a test fails while it differs from what the contracts say.
writeFileSync(
  new URL('../../../../docs/openapi.json', import.meta.url),
  `${JSON.stringify(createOpenApiDocument({ version: RELEASE_VERSION }), null, 2)}\n`,
)
