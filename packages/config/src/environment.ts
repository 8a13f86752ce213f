import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { host, networks } from './addresses.ts'
import { type ClamavEnvironment, findClamavProblems, toClamavEnvironment } from './clamav.ts'
import { findDemoProblems } from './demo.ts'
import {
  type FirstUser,
  readSettings,
  readSettingsFile,
  type SettingValue,
} from './settings-file.ts'
import {
  findSendfileProblems,
  type SendfileEnvironment,
  sendfileHeaders,
  toSendfileEnvironment,
} from './sendfile.ts'

const serviceNames = ['gateway', 'auth', 'share', 'file', 'admin', 'worker'] as const

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a number from 0 to 65535')
const userId = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be the number of a user or group other than root')
  .transform(Number)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })

const environmentSchema = z.object({
  PORT: port.prefault('3000'),
  HOST: host.optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: host.default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  PUID: userId.optional(),
  PGID: userId.optional(),
  PUBLIC_URL: httpUrl.optional(),
  SERVICES: z
    .string()
    .default('all')
    .transform((text, context) => {
      if (text === 'all') return [...serviceNames]
      const names = text.split(',').map((name) => name.trim())
      const unknown = names.filter((name) => !serviceNames.some((known) => known === name))
      if (unknown.length > 0) {
        context.addIssue(`contains unknown services: ${unknown.join(', ')}`)
        return z.NEVER
      }
      return serviceNames.filter((name) => names.includes(name))
    }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })
    .optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' }).optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  SENDFILE_HEADER: z
    .enum(sendfileHeaders, `must be one of ${sendfileHeaders.join(', ')}`)
    .optional(),
  SENDFILE_PREFIX: z.string().optional(),
  CLAMAV_HOST: z.string().optional(),
  CLAMAV_PORT: port.optional(),
  TRUSTED_PROXIES: networks,
  WEBHOOK_NETWORKS: networks,
  MAX_CONNECTIONS: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a number from 1 to 9999999')
    .transform(Number)
    .prefault('10000'),
  FILE_PROCESSES: z
    .string()
    .regex(/^[1-9]\d?$/, 'must be a number from 1 to 99')
    .transform(Number)
    .optional(),
  AUTH_URL: httpUrl.optional(),
  SHARE_URL: httpUrl.optional(),
  FILE_URL: httpUrl.optional(),
  ADMIN_URL: httpUrl.optional(),
  GITHUB_URL: httpUrl.default('https://github.com'),
  GITHUB_API_URL: httpUrl.default('https://api.github.com'),
  GOOGLE_URL: httpUrl.default('https://accounts.google.com'),
  MICROSOFT_URL: httpUrl.default('https://login.microsoftonline.com'),
  DISCORD_URL: httpUrl.default('https://discord.com'),
  SETTINGS: z.string().default('{}').transform(readSettings),
  SETTINGS_FILE: z.string().optional().transform(readSettingsFile),
  PASSWORD_SIGN_IN: z.literal('1', 'must be 1').optional(),
  INTERNAL_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  DEMO: z.literal('1', 'must be 1').optional(),
  NODE_ENV: z.string().optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
})

/** Whose value may lie in a file instead, named by the same variable with `_FILE` behind it. */
const secretNames = [
  'DATABASE_URL',
  'REDIS_URL',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'INTERNAL_SECRET',
] as const satisfies (keyof typeof environmentSchema.shape)[]

/** Every variable that means something here. */
export const environmentNames: readonly string[] = [
  ...Object.keys(environmentSchema.shape),
  ...secretNames.map(fileVariable),
]

/** Where the providers of social login live: other than the public ones for GitHub Enterprise. */
export interface ProviderUrls {
  github: string
  githubApi: string
  google: string
  microsoft: string
  discord: string
}

/** Objects in S3; without an endpoint of their own at AWS. */
export interface S3Environment {
  endpoint?: string
  /** Where browsers reach the same server: they then download from it directly. */
  publicEndpoint?: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
}

/** What an operator sets; the only place the environment is read. */
export interface Environment {
  port: number
  /** Null listens on every address. */
  host: string | null
  /** Where metrics can be scraped; null keeps none. */
  metrics: { port: number; host: string } | null
  dataDirectory: string
  /** Whom to become after a start as root. */
  runAs: { uid: number; gid: number } | null
  publicUrl: string | null
  services: readonly (typeof serviceNames)[number][]
  databaseUrl: string | null
  redisUrl: string | null
  /** Null keeps objects as files in the data directory. */
  s3: S3Environment | null
  /** Null sends every file from here. */
  sendfile: SendfileEnvironment | null
  /** Null scans nothing. */
  clamav: ClamavEnvironment | null
  trustedProxies: readonly string[]
  /** Where webhooks may be sent though it is not the internet. */
  webhookNetworks: readonly string[]
  /** Open to the port at a time. */
  maxConnections: number
  /** That share the port: several only where the file service runs alone. */
  processes: number
  serviceUrls: Readonly<Record<'auth' | 'share' | 'file' | 'admin', string | null>>
  providerUrls: ProviderUrls
  /** Settings by key: these hold, and an administrator cannot change them. */
  settings: Readonly<Record<string, SettingValue>>
  /** The same by the names of another product, where `settings` say nothing else. */
  foreignSettings: readonly { name: string; value: string }[]
  /** Gets an account where there is none yet. */
  firstUser: FirstUser | null
  internalSecret: string | null
  /** For trying out: all data is deleted each hour. */
  isDemo: boolean
  /** Outside production, calls between services in one process pass their schemas as well. */
  checksPorts: boolean
  logLevel: z.output<typeof environmentSchema>['LOG_LEVEL']
}

export interface EnvironmentProblem {
  variable: string
  message: string
}

/** The environment, or every problem in it at once. An empty variable counts as absent. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): { environment: Environment } | { problems: EnvironmentProblem[] } {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const secrets = readSecretFiles(given)
  const parsed = environmentSchema.safeParse({ ...given, ...secrets.values })
  if (!parsed.success) {
    const found = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0])
      return { variable: name in secrets.values ? fileVariable(name) : name, message }
    })
    return { problems: [...secrets.problems, ...found] }
  }
  const environment = toEnvironment(parsed.data)
  const problems = [
    ...findS3Gaps(parsed.data),
    ...findSendfileProblems(parsed.data, { keepsFiles: environment.s3 === null }),
    ...findClamavProblems(parsed.data),
    ...findContradictions(environment),
    ...findDemoProblems(parsed.data, {
      runsEverything: environment.services.length === serviceNames.length,
    }),
  ]
  // What stands in a file that cannot be used is not missing as well.
  const isNamed = ({ variable }: EnvironmentProblem) => fileVariable(variable) in given
  const all = [...secrets.problems, ...problems.filter((problem) => !isNamed(problem))]
  return all.length > 0 ? { problems: all } : { environment }
}

function fileVariable(name: string): string {
  return `${name}_FILE`
}

interface SecretFiles {
  /** By the variable that the file stands for. */
  values: Record<string, string>
  problems: EnvironmentProblem[]
}

/** Secrets of Docker and Kubernetes are files; editors leave a line break at their end. */
function readSecretFiles(given: Readonly<Record<string, string | undefined>>): SecretFiles {
  const values: SecretFiles['values'] = {}
  const problems: EnvironmentProblem[] = []
  for (const name of secretNames) {
    const variable = fileVariable(name)
    const path = given[variable]
    if (path === undefined) continue
    const read =
      given[name] === undefined ? readSecretFile(path) : `cannot be combined with ${name}`
    if (typeof read === 'string') problems.push({ variable, message: read })
    else values[name] = read.value
  }
  return { values, problems }
}

/** Its value, or what is wrong with it. */
function readSecretFile(path: string): { value: string } | string {
  try {
    const value = readFileSync(path, 'utf8').trim()
    return value === '' ? `points to an empty file: ${path}` : { value }
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function toEnvironment(data: z.output<typeof environmentSchema>): Environment {
  return Object.freeze({
    port: data.PORT,
    host: data.HOST ?? null,
    metrics:
      data.METRICS_PORT === undefined ? null : { port: data.METRICS_PORT, host: data.METRICS_HOST },
    dataDirectory: data.DATA_DIR,
    runAs: toRunAs(data),
    publicUrl: data.PUBLIC_URL === undefined ? null : withoutTrailingSlash(data.PUBLIC_URL),
    services: data.SERVICES,
    databaseUrl: data.DATABASE_URL ?? null,
    redisUrl: data.REDIS_URL ?? null,
    s3: toS3Environment(data),
    sendfile: toSendfileEnvironment(data),
    clamav: toClamavEnvironment(data),
    trustedProxies: data.TRUSTED_PROXIES,
    webhookNetworks: data.WEBHOOK_NETWORKS,
    maxConnections: data.MAX_CONNECTIONS,
    processes: isFileService(data) ? (data.FILE_PROCESSES ?? availableParallelism()) : 1,
    serviceUrls: {
      auth: data.AUTH_URL ?? null,
      share: data.SHARE_URL ?? null,
      file: data.FILE_URL ?? null,
      admin: data.ADMIN_URL ?? null,
    },
    providerUrls: {
      github: withoutTrailingSlash(data.GITHUB_URL),
      githubApi: withoutTrailingSlash(data.GITHUB_API_URL),
      google: withoutTrailingSlash(data.GOOGLE_URL),
      microsoft: withoutTrailingSlash(data.MICROSOFT_URL),
      discord: withoutTrailingSlash(data.DISCORD_URL),
    },
    settings: {
      ...data.SETTINGS_FILE.settings,
      ...data.SETTINGS,
      // The way back for who switched passwords off and cannot get in by a provider.
      ...(data.PASSWORD_SIGN_IN && { 'oauth.disablePassword': false }),
    },
    foreignSettings: data.SETTINGS_FILE.foreignSettings,
    firstUser: data.SETTINGS_FILE.firstUser,
    internalSecret: data.INTERNAL_SECRET ?? null,
    isDemo: data.DEMO !== undefined,
    checksPorts: data.NODE_ENV === 'test' || data.NODE_ENV === 'development',
    logLevel: data.LOG_LEVEL,
  })
}

function toRunAs({ PUID, PGID }: z.output<typeof environmentSchema>): Environment['runAs'] {
  return PUID === undefined ? null : { uid: PUID, gid: PGID ?? PUID }
}

function isFileService({
  SERVICES: [first, ...rest],
}: z.output<typeof environmentSchema>): boolean {
  return first === 'file' && rest.length === 0
}

const s3Needs = ['S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const

function toS3Environment(data: z.output<typeof environmentSchema>): S3Environment | null {
  if (data.S3_BUCKET === undefined) return null
  return {
    ...(data.S3_ENDPOINT === undefined ? {} : { endpoint: withoutTrailingSlash(data.S3_ENDPOINT) }),
    ...(data.S3_PUBLIC_ENDPOINT === undefined
      ? {}
      : { publicEndpoint: withoutTrailingSlash(data.S3_PUBLIC_ENDPOINT) }),
    region: data.S3_REGION,
    bucket: data.S3_BUCKET,
    accessKey: data.S3_ACCESS_KEY ?? '',
    secretKey: data.S3_SECRET_KEY ?? '',
  }
}

/** An operator who sets one of S3's variables does not expect files on this machine. */
function findS3Gaps(data: z.output<typeof environmentSchema>): EnvironmentProblem[] {
  const named = (['S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', ...s3Needs] as const).filter(
    (name) => data[name] !== undefined,
  )
  if (named.length === 0) return []
  return s3Needs
    .filter((name) => data[name] === undefined)
    .map((variable) => ({ variable, message: `is required with ${named[0] ?? 'S3_ENDPOINT'}` }))
}

/** A process that runs only some services needs what one process would give itself. */
function findContradictions(environment: Environment): EnvironmentProblem[] {
  const { services, databaseUrl, internalSecret } = environment
  const problems = findAddressProblems(environment)
  if (services.length === serviceNames.length) return problems
  if (databaseUrl === null) {
    problems.push({ variable: 'DATABASE_URL', message: 'is required unless SERVICES is "all"' })
  }
  if (internalSecret === null) {
    problems.push({
      variable: 'INTERNAL_SECRET',
      message: 'is required unless SERVICES is "all"',
    })
  }
  return problems
}

/** Content of users must not come from the page's own origin, and browsers block a step down to HTTP. */
function findAddressProblems({ publicUrl, s3 }: Environment): EnvironmentProblem[] {
  if (publicUrl === null || s3?.publicEndpoint === undefined) return []
  const [page, objects] = [new URL(publicUrl), new URL(s3.publicEndpoint)]
  const variable = 'S3_PUBLIC_ENDPOINT'
  if (page.origin === objects.origin) {
    return [{ variable, message: 'must use a different host or port than PUBLIC_URL' }]
  }
  if (page.protocol === 'https:' && objects.protocol !== 'https:') {
    return [{ variable, message: 'must be an https:// URL because PUBLIC_URL is one' }]
  }
  return []
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
