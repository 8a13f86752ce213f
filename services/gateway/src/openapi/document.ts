import {
  type Access,
  ACCESS_TOKEN_COOKIE,
  DIRECT_UPLOAD_PATH,
  type ErrorCode,
  errorResponseSchema,
  errorCatalogue,
  type RouteContract,
  routes,
} from '@floe/contracts'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'

const accessNotes: Record<Access, string> = {
  anyone: 'Open to anyone.',
  user: 'Requires a signed-in user.',
  admin: 'Requires an administrator.',
  'share visitor':
    'Requires a visit to the share, the cookie that `openShare` sets. Its owner needs none.',
  'share owner': 'Requires the owner of the share: its user, or the browser that created it.',
  'reverse share owner': 'Requires the user who created the reverse share.',
  'upload url': 'The unguessable URL of the upload is the permission.',
  'delete link': 'The secret in the address is the permission.',
}

/** The document's type, as the generator gives it. */
export type OpenApiDocument = ReturnType<typeof createDocument>

/** OpenAPI 3.1 of every public call, made from the same contracts that validate them. */
export function createOpenApiDocument({ version }: { version: string }): OpenApiDocument {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Floe',
      version,
      description:
        'Self-hosted file sharing. Send an access token with each request (`Authorization: Bearer floe_…`), made on the account page with the scopes that a script needs, or sign in and send the cookies. Errors have a stable `code`.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: describePaths(),
    components: {
      schemas: { Error: errorResponseSchema },
      securitySchemes: {
        accessToken: { type: 'apiKey', in: 'cookie', name: ACCESS_TOKEN_COOKIE },
        apiToken: { type: 'http', scheme: 'bearer', bearerFormat: 'floe_…' },
      },
    },
  })
}

function describePaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const [name, route] of Object.entries<RouteContract>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: describeRoute(name, route) }
  }
  return paths
}

function describeRoute(name: string, route: RouteContract): ZodOpenApiOperationObject {
  const requestParams = {
    ...(route.params ? { path: route.params } : {}),
    ...(route.query ? { query: route.query } : {}),
  }
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description: `${accessNotes[route.access]} ${describeScope(route)}`,
    ...(route.params || route.query ? { requestParams } : {}),
    ...describeBody(route),
    ...describeSecurity(route),
    responses: describeResponses(route),
  }
}

function describeScope({ scope }: RouteContract): string {
  if (scope === 'visitor') return 'Any token will do.'
  if (scope === 'session') return 'No token may call it.'
  return `Scope of tokens: \`${scope}\`.`
}

/** Scopes of a scheme that is no OAuth are the roles that OpenAPI 3.1 allows there. */
function describeSecurity({ access, scope }: RouteContract) {
  if (scope === 'visitor') return {}
  const bySession = access === 'user' || access === 'admin' ? [{ accessToken: [] }] : [{}]
  return { security: [...bySession, ...(scope === 'session' ? [] : [{ apiToken: [scope] }])] }
}

function describeBody(route: RouteContract): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (route.body) {
    const content = { schema: route.body }
    return {
      requestBody: {
        content: {
          ...(route.form && { 'application/x-www-form-urlencoded': content }),
          ...(route.form !== true && { 'application/json': content }),
        },
      },
    }
  }
  if (route.file) {
    const schema = {
      type: 'object' as const,
      properties: { [route.file.field]: { type: 'string' as const, format: 'binary' } },
      required: [route.file.field],
    }
    return { requestBody: { content: { 'multipart/form-data': { schema } } } }
  }
  if (!route.raw || (route.method !== 'post' && route.method !== 'patch')) return {}
  const type =
    route.method === 'patch' ? 'application/offset+octet-stream' : 'application/octet-stream'
  return { requestBody: { content: { [type]: { schema: { type: 'string', format: 'binary' } } } } }
}

function describeResponses(route: RouteContract): ZodOpenApiResponsesObject {
  const isSame = route.emptyStatus === route.status
  const description = isSame ? 'Success, with or without a body' : 'Success'
  const responses: ZodOpenApiResponsesObject = {
    [String(route.status) as '200']: { description, ...describeContent(route) },
  }
  if (route.emptyStatus !== undefined && !isSame) {
    responses[String(route.emptyStatus) as '204'] = { description: 'Success, without a body' }
  }
  for (const [status, codes] of errorsByStatus(route.errors ?? [])) {
    responses[String(status) as '400'] = {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
      content: describeError(route),
    }
  }
  return responses
}

const text = { 'text/plain': { schema: { type: 'string' as const } } }

function describeContent({ response, mediaType, asJson }: RouteContract) {
  if (response === null) return {}
  if (response === 'text') {
    return { content: { ...text, ...(asJson && { 'application/json': { schema: asJson } }) } }
  }
  if (response !== 'bytes') return { content: { 'application/json': { schema: response } } }
  if (mediaType === 'application/json') {
    return {
      content: { [mediaType]: { schema: { type: 'object' as const, additionalProperties: {} } } },
    }
  }
  const isText = mediaType?.startsWith('text/') === true
  const schema = { type: 'string' as const, ...(!isText && { format: 'binary' }) }
  return { content: { [mediaType ?? 'application/octet-stream']: { schema } } }
}

/** Direct uploads are refused in one line, unless JSON is asked for. */
function describeError({ path }: RouteContract) {
  const json = { 'application/json': { schema: errorResponseSchema } }
  const isDirect = path === DIRECT_UPLOAD_PATH || path.startsWith(`${DIRECT_UPLOAD_PATH}/`)
  return isDirect ? { ...text, ...json } : json
}

function errorsByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorCatalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}
