import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { type Settings, splitLdapUrls } from '@floe/contracts'
import {
  Client,
  ConstraintViolationError,
  type Entry,
  EqualityFilter,
  escapeFilter,
  type Filter,
  InappropriateAuthError,
  InvalidCredentialsError,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  ResultCodeError,
  UnwillingToPerformError,
} from 'ldapts'
import { type Directory, type DirectoryEntry, DirectoryError } from '../domain/directory.ts'
import { awaitedDn } from '../domain/directory-ids.ts'
import { isBelow, normaliseDn } from '../domain/distinguished-names.ts'

/** For everything that is asked of one server. */
const SERVER_TIMEOUT_MS = 6_000

/**
 * What directories call the id of an entry that stays when it is renamed or moved: Active Directory
 * (16 bytes), OpenLDAP and others (RFC 4530), FreeIPA, 389 Directory Server.
 */
const idAttributes = ['objectGUID', 'entryUUID', 'ipaUniqueID', 'nsUniqueId'] as const
const nameAttributes = ['sAMAccountName', 'uid', 'cn'] as const

/** Responses to a bind that refuse the person, not the request. */
const refusals = [
  InvalidCredentialsError,
  InappropriateAuthError,
  ConstraintViolationError,
  NoSuchObjectError,
  UnwillingToPerformError,
]

/** An LDAP directory. A person is searched by the account of the settings, and proven by a bind. */
export function createLdapDirectory({
  timeoutMs = SERVER_TIMEOUT_MS,
}: { timeoutMs?: number } = {}): Directory {
  const onServer: OnServer = (url, settings, work) => askServer({ url, settings, timeoutMs }, work)
  return {
    async authenticate(settings, name, password) {
      // A bind without a password is one that any server grants to anybody (RFC 4513 §5.1.2).
      if (password === '') return null
      return onAnyServer(onServer, settings, async (client) => {
        const entry = await findByName(client, settings, name)
        return entry !== null && (await isPasswordOf(client, entry, password)) ? entry : null
      })
    },

    find: (settings, id) =>
      onAnyServer(onServer, settings, (client) => findById(client, settings, id)),

    async tryOut(settings, name) {
      let found: DirectoryEntry | null | undefined
      // Each of them, as one that does not work is found out by nobody until it is needed.
      for (const url of splitLdapUrls(settings['ldap.url'])) {
        found = await onServer(url, settings, async (client) => {
          if (name !== null) return findByName(client, settings, name)
          const [entry] = await search(client, settings, { filter: queryFor(settings, ANYBODY) })
          if (!entry) throw new Error('the search finds nobody')
          return toDirectoryEntry(entry, settings)
        })
        if (found === null) return null
      }
      if (!found) throw new DirectoryError('no address is set')
      return found
    },
  }
}

type OnServer = <T>(
  url: string,
  settings: Settings,
  work: (client: Client) => Promise<T>,
) => Promise<T>

/** The first server that responds decides. */
async function onAnyServer<T>(
  onServer: OnServer,
  settings: Settings,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const failures: string[] = []
  for (const url of splitLdapUrls(settings['ldap.url'])) {
    try {
      return await onServer(url, settings, work)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      failures.push(error.message)
    }
  }
  throw new DirectoryError(failures.join('; ') || 'no address is set')
}

async function askServer<T>(
  { url, settings, timeoutMs }: { url: string; settings: Settings; timeoutMs: number },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { protocol, hostname } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isTls = protocol === 'ldaps:'
  const tlsOptions = tlsOptionsFor(host, settings)
  const client = new Client({
    url,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    ...(isTls && { tlsOptions }),
  })
  try {
    return await withinTime(timeoutMs, async () => {
      if (settings['ldap.startTls'] && !isTls) await client.startTLS({ ...tlsOptions, host })
      const { 'ldap.bindDn': dn, 'ldap.bindPassword': password } = settings
      if (dn.trim() !== '') {
        if (password === '') throw new Error('the password of the bind DN is missing')
        await client.bind(dn.trim(), password)
      }
      return await work(client)
    })
  } catch (error) {
    throw new DirectoryError(`${url}: ${describe(error)}`)
  } finally {
    // Closes the connection, whatever became of it; nobody waits for its end.
    client.unbind().catch(() => undefined)
  }
}

/** Certificates are always verified, and that they are of this host. */
function tlsOptionsFor(host: string, settings: Settings): ConnectionOptions {
  const authorities = settings['ldap.certificate'].trim()
  return {
    ...(isIP(host) === 0 && { servername: host }),
    ...(authorities !== '' && { ca: authorities }),
  }
}

/** The library limits single requests, but neither handshakes nor all of them together. */
async function withinTime<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const seconds = timeoutMs / 1_000
    timer = setTimeout(() => reject(new Error(`no response within ${seconds} seconds`)), timeoutMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** In place of a name, as part of a filter: any value. */
const ANYBODY = '*'

function queryFor(settings: Settings, escapedName: string): string {
  return settings['ldap.searchQuery'].replaceAll('%username%', () => escapedName)
}

/** Most entries that are asked for: of two, none is meant. */
const MOST = 2

async function search(
  client: Client,
  settings: Settings,
  {
    base = settings['ldap.searchBase'],
    scope = 'sub',
    filter,
  }: { base?: string; scope?: 'sub' | 'base'; filter: string | Filter },
): Promise<Entry[]> {
  const { 'ldap.fieldNameEmail': email, 'ldap.fieldNameMemberOf': memberOf } = settings
  const { searchEntries } = await client.search(base, {
    scope,
    filter,
    sizeLimit: MOST,
    timeLimit: SERVER_TIMEOUT_MS / 1_000,
    attributes: [...new Set([...idAttributes, ...nameAttributes, email, memberOf])],
    explicitBufferAttributes: ['objectGUID'],
  })
  return searchEntries
}

async function findByName(
  client: Client,
  settings: Settings,
  name: string,
): Promise<DirectoryEntry | null> {
  const filter = queryFor(settings, escapeFilter`${name}`)
  const [entry, another] = await search(client, settings, { filter })
  return entry && !another ? toDirectoryEntry(entry, settings) : null
}

/** The entry, unless the query of the settings leaves it out by now. */
async function findById(
  client: Client,
  settings: Settings,
  id: string,
): Promise<DirectoryEntry | null> {
  const awaited = awaitedDn(id)
  if (awaited !== null) return findByDn(client, settings, awaited)
  const separator = id.indexOf(':')
  const [attribute, text] = [id.slice(0, separator), id.slice(separator + 1)]
  const value = attribute === 'objectGUID' ? Buffer.from(text, 'hex') : text
  const filter = new EqualityFilter({ attribute, value })
  const [present] = await search(client, settings, { filter })
  return present ? readEntry(client, settings, present.dn) : null
}

async function findByDn(
  client: Client,
  settings: Settings,
  dn: string,
): Promise<DirectoryEntry | null> {
  const base = settings['ldap.searchBase'].trim()
  const normalBase = normaliseDn(base)
  // A search never finds what is elsewhere, and reading an entry by its DN must not either.
  if (base !== '' && (normalBase === null || !isBelow(dn, normalBase))) return null
  try {
    return await readEntry(client, settings, dn)
  } catch (error) {
    if (error instanceof NoSuchObjectError || error instanceof InvalidDNSyntaxError) return null
    throw error
  }
}

/** The entry itself, where the query of the settings does not leave it out. */
async function readEntry(
  client: Client,
  settings: Settings,
  dn: string,
): Promise<DirectoryEntry | null> {
  const query = queryFor(settings, ANYBODY)
  const [entry] = await search(client, settings, { base: dn, scope: 'base', filter: query })
  return entry ? toDirectoryEntry(entry, settings) : null
}

async function isPasswordOf(
  client: Client,
  { dn }: DirectoryEntry,
  password: string,
): Promise<boolean> {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return false
    throw error
  }
}

function toDirectoryEntry(entry: Entry, settings: Settings): DirectoryEntry {
  const id = idAttributes.flatMap((name) => {
    const [value] = valuesOf(entry, name)
    return value === undefined ? [] : [`${name}:${value}`]
  })[0]
  if (id === undefined) throw new Error(`${entry.dn} has none of ${idAttributes.join(', ')}`)
  const [name = ''] = nameAttributes.flatMap((attribute) => valuesOf(entry, attribute))
  const [email = null] = valuesOf(entry, settings['ldap.fieldNameEmail'])
  const groups = valuesOf(entry, settings['ldap.fieldNameMemberOf'])
  return { id, dn: entry.dn, username: name, email, groups }
}

/** Names of attributes are equal in any case of their letters; bytes are told in hexadecimal. */
function valuesOf(entry: Entry, attribute: string): string[] {
  const key = Object.keys(entry).find((name) => name.toLowerCase() === attribute.toLowerCase())
  const value = key === undefined ? [] : (entry[key] ?? [])
  return [value].flat().map((one) => (Buffer.isBuffer(one) ? one.toString('hex') : one))
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(describe))].join(', ')
  if (!(error instanceof Error)) return 'unknown failure'
  const message = error.message.split('\n').join(' ').trim()
  // Most directories tell no more than the number of a refusal, whose name the library knows.
  return error instanceof ResultCodeError ? `${error.name}: ${message}` : message || error.name
}
