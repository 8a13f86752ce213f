import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { jsonSchemaModules } from './json-schema-modules.ts'
import { fileURLToPath } from 'node:url'

const entry = 'virtual:schema'
const replacement = fileURLToPath(new URL('json-schema-omitted.ts', import.meta.url))

/** What a page with one small schema loads. */
async function bundleSchema(alias: { find: RegExp; replacement: string }[]): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('..', import.meta.url)),
    resolve: { alias },
    plugins: [
      {
        name: 'schema',
        resolveId: (id) =>
          id === entry ? fileURLToPath(new URL('schema.js', import.meta.url)) : null,
        load: (id) =>
          id.endsWith('/scripts/schema.js')
            ? `import { z } from 'zod'\nconsole.log(z.object({ name: z.string() }).safeParse({}))`
            : null,
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  })
  const { output } = result as Rolldown.RolldownOutput
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
}

// Once it does not, the stand-in and its alias can go.
test('zod still brings what writes JSON Schema into every page', async () => {
  expect(await bundleSchema([])).toContain('json-schema.org')
})

test('the stand-in leaves it out', async () => {
  const code = await bundleSchema([{ find: jsonSchemaModules, replacement }])
  expect(code).not.toContain('json-schema.org')
  expect(code).toContain('safeParse')
})
