import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { generateTypes } from './scripts/generate-types.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const description = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')

test('api.ts says what the API description says (renew it with "npm run openapi")', async () => {
  const written = readFileSync(new URL('api.ts', import.meta.url), 'utf8')
  expect(await generateTypes(description)).toBe(written)
})

/** What a script of somebody else may look like. */
const script = `
  import { createClient, unwrap } from './index.ts'
  const client = createClient({ baseUrl: 'http://localhost', token: 'floe_' })
  const shares = await unwrap(client.GET('/api/shares'))
  const sizes: number[] = shares.map((share) => share.size)
  const { token } = await unwrap(
    client.POST('/api/tokens', { body: { name: 'backup', scopes: ['shares:read'] } }),
  )
  await unwrap(client.DELETE('/api/shares/{id}', { params: { path: { id: token } } }))
  export { sizes }
`

describe('a script written against the client', () => {
  test('compiles', async () => {
    expect(compile(await generateTypes(description))).toEqual([])
  })

  test.each([
    [
      'a field of a response has another name',
      (text: string) => text.replaceAll('"size"', '"bytes"'),
      "Property 'size' does not exist",
    ],
    [
      'a route is gone',
      (text: string) => changePaths(text, (paths) => delete paths['/api/shares/{id}']),
      `'"/api/shares/{id}"' is not assignable`,
    ],
    [
      'a route has another path',
      (text: string) => text.replace('"/api/shares/{id}"', '"/api/links/{id}"'),
      `'"/api/shares/{id}"' is not assignable`,
    ],
    [
      'a method is gone',
      (text: string) => changePaths(text, (paths) => delete paths['/api/shares']?.get),
      "Property 'map' does not exist on type 'never'",
    ],
    [
      'a value is no longer taken',
      (text: string) => text.replaceAll('"shares:read"', '"shares:list"'),
      `'"shares:read"' is not assignable`,
    ],
    [
      'a field of a body is needed that was not',
      (text: string) =>
        changePaths(text, (paths) => {
          const schema =
            paths['/api/tokens']?.post?.requestBody?.content['application/json']?.schema
          schema?.required?.push('networks')
        }),
      "Property 'networks' is missing",
    ],
  ])('no longer compiles when %s', async (_change, alter, message) => {
    const altered = alter(description)
    expect(altered).not.toBe(description)
    expect(compile(await generateTypes(altered)).join('\n')).toContain(message)
  })
})

interface Operation {
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> }
}

type Paths = Record<string, { get?: Operation; post?: Operation }>

function changePaths(text: string, alter: (paths: Paths) => void): string {
  const document = JSON.parse(text) as { paths: Paths }
  alter(document.paths)
  return JSON.stringify(document)
}

/** Files of libraries, which are the same in all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says of the script, with these types in place of the client's. */
function compile(api: string): string[] {
  const sources = new Map([
    [`${folder}script.ts`, script],
    [`${folder}api.ts`, api],
  ])
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => sources.has(name) || fileExists(name)
  host.getSourceFile = (name, ...rest) => {
    const source = sources.get(name)
    if (source !== undefined) return ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest))
    return parsed.get(name)
  }
  const program = ts.createProgram([`${folder}script.ts`], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
