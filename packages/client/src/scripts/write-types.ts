import { readFileSync, writeFileSync } from 'node:fs'
import { generateTypes } from './generate-types.ts'

// Writes the types of the client; a test fails while they differ from the API description.
const description = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')
writeFileSync(new URL('../api.ts', import.meta.url), await generateTypes(description))
