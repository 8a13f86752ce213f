import {
  BATCH_TYPE,
  type ConfigKey,
  type ConfigVariable,
  configCatalogue,
  type Method,
  type RouteContract,
  type RouteName,
  routes,
  socialProviders,
  uploadMetadataSchema,
} from '@floe/contracts'
import fc from 'fast-check'
import { offsetStream } from '../world/tus.ts'
import {
  brokenJson,
  hostileContentType,
  hostileCookie,
  hostileHeader,
  hostileHeaderValue,
  hostileName,
  hostileQuery,
  hostileSegment,
  hostileString,
  hostileValue,
  shortExpiration,
} from './hostile-values.ts'
import { arbitraryOf, type Known, queryOf, reference } from './valid-values.ts'

export const roles = ['visitor', 'user', 'admin', 'sender'] as const
export type Role = (typeof roles)[number]

export type PlannedBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'bytes'; sizeBytes: number }
  | { kind: 'file'; field: string; type: string; logo: number }

/** What spoils a request; several may, one after another. */
export type Fault =
  | { kind: 'segment'; at: number; text: string }
  | { kind: 'query'; at: number; how: 'add' | 'twice' | 'brackets' | 'value'; text: string }
  | ({ kind: 'member'; at: number; how: 'value' | 'remove' | 'add' | 'wrap' } & Member)
  | { kind: 'body'; text: string }
  | { kind: 'stray body'; value: unknown }
  | { kind: 'content type'; text: string }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'own header'; at: number; value: string }
  | { kind: 'cookie'; text: string }
  | { kind: 'method'; method: Method }

interface Member {
  name: string
  value: unknown
}

/** A request before anybody knows which ids there are. */
export interface PlannedCall {
  route: RouteName
  role: Role
  /** Which of several things it is about. */
  pick: number
  segments: Record<string, string>
  query: [name: string, value: string][]
  body: PlannedBody
  /** A record is what `Upload-Metadata` says. */
  headers: Record<string, string | Record<string, string>>
  faults: Fault[]
}

const known = (name: string) => fc.constant(reference(name))

function mostly(name: string, other: fc.Arbitrary<unknown> = hostileString) {
  return fc.oneof({ weight: 9, arbitrary: known(name) }, other)
}

const confirmed: Known = { password: mostly('ownPassword'), code: mostly('totpCode') }
const newAccount: Known = { email: known('newEmail'), username: known('newUsername') }

/** Members of bodies that only make sense together with what there is. */
const knownMembers: Partial<Record<RouteName, Known>> = {
  signUp: newAccount,
  signIn: {
    email: mostly('ownEmail'),
    username: mostly('ownUsername'),
    password: mostly('ownPassword'),
  },
  signInTotp: { totp: mostly('totpCode'), loginToken: mostly('loginToken') },
  resetPassword: { token: mostly('resetToken') },
  enableTotp: confirmed,
  verifyTotp: confirmed,
  disableTotp: confirmed,
  createRecoveryCodes: confirmed,
  beginPasskey: confirmed,
  removePasskey: confirmed,
  requestPasskey: { loginToken: mostly('loginToken') },
  changePassword: { oldPassword: mostly('ownPassword') },
  createToken: {
    expiresIn: shortExpiration,
    networks: fc.array(fc.constantFrom('127.0.0.1', '192.0.2.0/24', '2001:db8::/32')),
    maxExpiration: shortExpiration,
  },
  createWebhook: { url: fc.constantFrom('http://127.0.0.1:9/', 'http://10.0.0.1/') },
  updateWebhook: { url: fc.constantFrom('http://127.0.0.1:9/', 'http://10.0.0.1/') },
  updateOwnUser: newAccount,
  createUser: newAccount,
  updateUser: newAccount,
  createShare: {
    id: known('newShareId'),
    expiration: shortExpiration,
    reverseShare: fc.oneof(known('ownReverseToken'), fc.constant(null)),
  },
  updateShare: { expiration: shortExpiration },
  openShare: { password: mostly('sharePassword') },
  openShareByForm: { password: mostly('sharePassword') },
  selectFiles: { files: fc.array(known('fileId'), { minLength: 1, maxLength: 3 }) },
  createReverseShare: { token: known('newShareId') },
  unlockReverseShare: { password: mostly('sharePassword') },
  sendTestEmail: { email: known('newEmail') },
}

const texts = fc.string({ maxLength: 40 })

/** Nothing may lead off this machine: see `keepOnLoopback`. */
function settingOf(key: ConfigKey, variable: ConfigVariable): fc.Arbitrary<unknown> {
  if (key === 'smtp.host') return fc.constantFrom('', '127.0.0.1')
  if (key === 'smtp.port') return known('smtpPort')
  if (variable.type === 'boolean') return fc.boolean()
  if (variable.type === 'number') {
    const { min, max } = variable
    return fc.oneof(fc.integer({ min, max }), fc.constantFrom('', min, max, min - 1, max + 1))
  }
  if ('choices' in variable) return fc.oneof(fc.constantFrom(...variable.choices), texts)
  switch (variable.format) {
    case 'url':
    case 'base-url':
      return fc.constantFrom('', 'http://127.0.0.1:1', 'https://127.0.0.1:1/a/')
    case 'email':
      return fc.constant('floe@floe.test')
    case 'repository':
      return fc.constantFrom('', 'owner/name')
    default:
      return texts
  }
}

const configChange = fc.oneof(
  ...Object.entries<ConfigVariable>(configCatalogue).map(([key, variable]) =>
    fc.record({ key: fc.constant(key), value: settingOf(key as ConfigKey, variable) }),
  ),
)
const configChanges = fc.array(configChange, { minLength: 1, maxLength: 3 })

const ownBodies: Partial<Record<RouteName, fc.Arbitrary<unknown>>> = {
  updateConfig: configChanges,
  finishSetup: fc.record({ changes: configChanges }),
}

const sizes = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  fc.constantFrom(0, 1, 65_535, 65_536, 70_000, 200_000),
)

const version = fc.constant('1.0.0')
const octets = fc.constant(offsetStream)
const checksum = fc.oneof(known('checksum'), fc.constantFrom('sha1 AAAA', 'crc32 AAAAAA=='))

const creation = {
  'Tus-Resumable': version,
  'Content-Type': octets,
  'Upload-Metadata': arbitraryOf(uploadMetadataSchema, {
    shareId: known('openShareId'),
  }) as fc.Arbitrary<Record<string, string>>,
  'Upload-Checksum': checksum,
}
const continuation = {
  'Tus-Resumable': version,
  'Upload-Offset': fc.oneof({ weight: 4, arbitrary: known('offset') }, fc.constantFrom('0', '7')),
  'Content-Type': octets,
  'Upload-Checksum': checksum,
}
const needed = ['Tus-Resumable', 'Upload-Metadata', 'Content-Type'] as const

const directHeaders = fc.constantFrom<PlannedCall['headers'][]>(
  {},
  { 'X-Expires': '1-day', 'X-Name': 'Fuzzy', 'X-Max-Views': '3' },
)

const ownHeaders: Partial<Record<RouteName, fc.Arbitrary<PlannedCall['headers']>>> = {
  putFile: directHeaders,
  postFile: directHeaders,
  postForm: fc.record({ 'Content-Type': fc.constant('multipart/form-data; boundary=x') }),
  appendResumable: fc.record({
    'Content-Type': fc.constant('application/partial-upload'),
    'Upload-Offset': fc.constantFrom('0', '7'),
    'Upload-Complete': fc.constantFrom('?0', '?1', '1'),
  }),
  uploadChunk: fc.record({ 'Content-Type': fc.constant('application/octet-stream') }),
  uploadBatch: fc.record({ 'Content-Type': fc.constant(BATCH_TYPE) }),
  createUpload: fc.oneof(
    fc.record(
      {
        ...creation,
        'Upload-Length': fc.oneof(
          { weight: 4, arbitrary: known('bodyLength') },
          fc.constantFrom('0', '500', '70000', '9007199254740991'),
        ),
        'Upload-Concat': fc.constantFrom('partial', 'final;/api/uploads/nothing'),
      },
      { requiredKeys: [...needed, 'Upload-Length'] },
    ),
    fc.record(
      { ...creation, 'Upload-Defer-Length': fc.constant('1') },
      { requiredKeys: [...needed, 'Upload-Defer-Length'] },
    ),
  ),
  inspectUpload: fc.record({ 'Tus-Resumable': version }),
  terminateUpload: fc.record({ 'Tus-Resumable': version }),
  appendToUpload: fc.record(
    { ...continuation, 'Upload-Length': fc.constantFrom('500', '70000') },
    { requiredKeys: ['Tus-Resumable', 'Upload-Offset', 'Content-Type'] },
  ),
  overrideUploadMethod: fc.record({
    ...continuation,
    'X-HTTP-Method-Override': fc.constantFrom('HEAD', 'PATCH', 'DELETE'),
  }),
  downloadFile: fc.record(
    { Range: fc.constantFrom('bytes=0-0', 'bytes=2-', 'bytes=-3') },
    { requiredKeys: [] },
  ),
}

const knownQueries: Partial<Record<RouteName, Known>> = {
  uploadChunk: {
    id: fc.oneof(fc.uuid(), known('fileId')),
    chunkIndex: fc.oneof({ weight: 6, arbitrary: fc.constant('0') }, fc.constantFrom('1', '7')),
    totalChunks: fc.oneof({ weight: 4, arbitrary: fc.constant('1') }, fc.constantFrom('2', '9')),
  },
  downloadArchive: { folder: fc.constantFrom('a', 'photos/2026', '..'), selection: texts },
  getShareActivity: { file: fc.oneof(known('fileId'), fc.constant('zip')) },
  listTokens: { userId: known('userId') },
  listStorageUse: { ids: fc.oneof(known('userId'), fc.constant('')) },
  beginSocialSignIn: { redirect: fc.constantFrom('/', '/account', '/share/a?b=c') },
  finishSocialSignIn: { code: texts, state: texts, error: fc.constant('access_denied') },
}

/** Whose id it is, by the beginning of the path; that of a share otherwise. */
function idOf({ path }: RouteContract): fc.Arbitrary<string> {
  if (path.startsWith('/api/users')) return known('userId')
  if (path.startsWith('/api/tokens')) return known('tokenId')
  if (path.startsWith('/api/webhooks')) return known('webhookId')
  if (!path.startsWith('/api/reverseShares')) return known('shareId')
  return path === routes.getReverseShare.path
    ? fc.oneof(known('reverseId'), known('reverseToken'))
    : known('reverseId')
}

/** What stands in a path for a parameter, before it is escaped. */
function segmentOf(route: RouteContract, parameter: string): fc.Arbitrary<string> {
  switch (parameter) {
    case 'id':
      return idOf(route)
    case 'deliveryId':
    case 'passkeyId':
      return fc.uuid()
    case 'userCode':
      return fc.constantFrom('WDJB-MJHT', 'none')
    case 'secret':
      return fc.constantFrom('A'.repeat(24), 'none')
    case 'name':
      return fc.constantFrom('a.txt', 'Ünï 🏖.txt', 'photos/a.jpg', '..')
    case 'token':
      return known('reverseToken')
    case 'provider':
      return fc.constantFrom(...socialProviders)
    case 'category':
      return fc.constantFrom(
        'general',
        'share',
        'email',
        'smtp',
        'oauth',
        'legal',
        'appearance',
        'notices',
        'nothing',
      )
    case 'jobId':
      return fc.constantFrom('1', '2', 'repeat:a:1')
    case 'email':
      return known('ownEmail')
    default:
      return known(parameter)
  }
}

export function parametersOf({ path }: { path: string }): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

function bodyOf(name: RouteName, contract: RouteContract): fc.Arbitrary<PlannedBody> {
  const { body, file, form, raw, method } = contract
  if (file) {
    return fc.record({
      kind: fc.constant('file' as const),
      field: fc.oneof({ weight: 9, arbitrary: fc.constant(file.field) }, fc.constant('other')),
      type: fc.oneof({ weight: 9, arbitrary: fc.constant('image/png') }, hostileContentType),
      logo: fc.nat(40),
    })
  }
  if (body) {
    const value = ownBodies[name] ?? arbitraryOf(body, knownMembers[name])
    return form
      ? value.map((fields) => ({
          kind: 'form' as const,
          fields: Object.entries(fields as object).map(([key, text]): [string, string] => [
            key,
            String(text),
          ]),
        }))
      : value.map((json) => ({ kind: 'json' as const, value: json }))
  }
  if (raw && (method === 'post' || method === 'patch' || method === 'put')) {
    return sizes.map((sizeBytes) => ({ kind: 'bytes' as const, sizeBytes }))
  }
  return fc.constant({ kind: 'none' as const })
}

const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('member' as const),
      at: fc.nat(1_000),
      how: fc.constantFrom('value', 'value', 'value', 'remove', 'add', 'wrap'),
      name: hostileName,
      value: hostileValue,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('segment' as const),
      at: fc.nat(10),
      text: hostileSegment,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      at: fc.nat(10),
      how: fc.constantFrom('add', 'twice', 'brackets', 'value'),
      text: hostileQuery,
    }),
  },
  {
    weight: 2,
    arbitrary: hostileHeader.map(([name, value]) => ({ kind: 'header' as const, name, value })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('own header' as const),
      at: fc.nat(10),
      value: hostileHeaderValue,
    }),
  },
  fc.record({ kind: fc.constant('body' as const), text: brokenJson }),
  fc.record({ kind: fc.constant('stray body' as const), value: hostileValue }),
  fc.record({ kind: fc.constant('content type' as const), text: hostileContentType }),
  fc.record({ kind: fc.constant('cookie' as const), text: hostileCookie }),
  fc.record({
    kind: fc.constant('method' as const),
    method: fc.constantFrom('get', 'head', 'post', 'patch', 'put', 'delete', 'options'),
  }),
)

/** Half of the calls are right as far as the schemas tell, most others have one fault. */
const faults = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Fault[]>([]) },
  { weight: 3, arbitrary: fc.array(fault, { minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.array(fault, { minLength: 2, maxLength: 4 }) },
)

function callOf(name: RouteName): fc.Arbitrary<PlannedCall> {
  const contract: RouteContract = routes[name]
  const { query } = contract
  const segments = parametersOf(contract).map(
    (parameter) => [parameter, segmentOf(contract, parameter)] as const,
  )
  return fc.record({
    route: fc.constant(name),
    role: fc.constantFrom(...roles),
    pick: fc.nat(10_000),
    segments: fc.record(Object.fromEntries(segments)),
    query: query ? queryOf(query, knownQueries[name]) : fc.constant([]),
    body: bodyOf(name, contract),
    headers: ownHeaders[name] ?? fc.constant({}),
    faults,
  })
}

export const routeNames = Object.keys(routes) as RouteName[]

/** Calls of every route by everybody. */
export const plannedCall: fc.Arbitrary<PlannedCall> = fc.oneof(...routeNames.map(callOf))
