import { readFileSync } from 'node:fs'
import { RELEASE_VERSION, type RouteContract, routes } from '@floe/contracts'
import { expect, test } from 'vitest'
import { createOpenApiDocument } from './document.ts'

const root = new URL('../../../../', import.meta.url)

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Record<string, unknown>
}

const document = createOpenApiDocument({ version: RELEASE_VERSION })

test('docs/openapi.json says what the contracts say (renew it with "npm run openapi")', () => {
  expect(readJson('docs/openapi.json')).toEqual(JSON.parse(JSON.stringify(document)))
})

test('describes every call with its parameters, errors and schemas', () => {
  for (const [name, route] of Object.entries<RouteContract>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths?.[path]?.[route.method as 'get']
    expect(operation?.operationId, path).toBe(name)
    expect(operation?.responses, path).toHaveProperty(String(route.status))
    const described = (operation?.parameters ?? []).map((parameter) =>
      'name' in parameter ? parameter.name : '',
    )
    for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) expect(described).toContain(parameter)
  }
  expect(document.components?.schemas).toHaveProperty('Share')
  expect(document.components?.schemas).toHaveProperty('Error')
})

test.each([
  ['/api/users/me/data', 'get', '200', ['application/json']],
  ['/api/admin/audit/export', 'get', '200', ['text/csv']],
  ['/api/shares/{shareId}/files/SHA256SUMS', 'get', '200', ['text/plain']],
  ['/api/shares/{shareId}/files/{fileId}', 'get', '200', ['application/octet-stream']],
  ['/up/{name}', 'put', '201', ['text/plain', 'application/json']],
  ['/up/{name}', 'put', '413', ['text/plain', 'application/json']],
  ['/up', 'post', '413', ['text/plain', 'application/json']],
  ['/api/shares', 'post', '400', ['application/json']],
] as const)('%s, %s: %s is %j', (path, method, status, types) => {
  const response = document.paths?.[path]?.[method]?.responses?.[status]
  const content = response && 'content' in response ? response.content : {}
  expect(Object.keys(content ?? {})).toEqual(types)
})

test('names every error of the calls that another method stands for', () => {
  const { overrideUploadMethod, inspectUpload, appendToUpload, terminateUpload } = routes
  const told: readonly string[] = overrideUploadMethod.errors
  for (const { errors } of [inspectUpload, appendToUpload, terminateUpload]) {
    expect(told).toEqual(expect.arrayContaining([...errors]))
  }
})
