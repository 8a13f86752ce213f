import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Attribute, Change, Client } from 'ldapts'
import { findFreePort } from './free-port.ts'

const BASE = 'dc=example,dc=org'
const ROOT_DN = `cn=root,${BASE}`
const ROOT_PASSWORD = 'root of the directory'

export interface LdapPerson {
  uid: string
  password: string
  /** Absent for somebody without an address. */
  mail?: string
  /** Bytes, as Active Directory tells an entry; others are told by what the server gives. */
  objectGuid?: Buffer
}

/** A directory with the folders `ou=people` and `ou=groups`. */
export interface LdapServer {
  url: string
  /** The same server by TLS from the first byte. */
  tlsUrl: string
  base: string
  bindDn: string
  bindPassword: string
  /** PEM of the authority that vouches for the server, as `localhost`. */
  authority: string
  start(): Promise<void>
  /** Killed. */
  stop(): Promise<void>
  /** Stops in the middle of what it does, and goes on: connections stay open. */
  freeze(): void
  thaw(): void
  addPerson(person: LdapPerson): Promise<string>
  /** A group, as a DN, of the members named by their DN. */
  addGroup(name: string, members: readonly string[]): Promise<string>
  change(dn: string, attribute: string, value: string): Promise<void>
  /** The first part of the DN becomes another, such as `uid=somebody`. */
  rename(dn: string, name: string): Promise<void>
  remove(dn: string): Promise<void>
  /** With all its entries. */
  close(): Promise<void>
}

/** A real `slapd` on free ports of this machine, with its folder and its authority. */
export async function startLdapServer(): Promise<LdapServer> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-ldap-'))
  await mkdir(join(folder, 'data'))
  const authority = await createCertificates(folder)
  await writeFile(join(folder, 'slapd.conf'), configuration(folder))
  const urls = {
    url: `ldap://localhost:${await findFreePort()}`,
    tlsUrl: `ldaps://localhost:${await findFreePort()}`,
  }
  let child: ChildProcess | undefined

  const stop = async () => {
    if (!child) return
    const exited = once(child, 'exit')
    if (child.kill('SIGKILL')) await exited
    child = undefined
  }
  const start = async () => {
    child = await startSlapd(folder, urls)
  }
  await start()
  await asRoot(urls.url, addFolders)

  return {
    ...urls,
    base: BASE,
    bindDn: ROOT_DN,
    bindPassword: ROOT_PASSWORD,
    authority,
    start,
    stop,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    addPerson: (person) => asRoot(urls.url, (client) => addPerson(client, person)),
    addGroup: (name, members) =>
      asRoot(urls.url, async (client) => {
        const dn = `cn=${name},ou=groups,${BASE}`
        await client.add(dn, { objectClass: 'groupOfNames', member: [...members] })
        return dn
      }),
    change: (dn, type, value) =>
      asRoot(urls.url, (client) =>
        client.modify(
          dn,
          new Change({
            operation: 'replace',
            modification: new Attribute({ type, values: value === '' ? [] : [value] }),
          }),
        ),
      ),
    rename: (dn, name) => asRoot(urls.url, (client) => client.modifyDN(dn, name)),
    remove: (dn) => asRoot(urls.url, (client) => client.del(dn)),
    close: async () => {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function asRoot<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ url, timeout: 10_000, connectTimeout: 10_000 })
  try {
    await client.bind(ROOT_DN, ROOT_PASSWORD)
    return await work(client)
  } finally {
    await client.unbind()
  }
}

async function addFolders(client: Client): Promise<void> {
  await client.add(BASE, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
  for (const name of ['people', 'groups']) {
    await client.add(`ou=${name},${BASE}`, { objectClass: 'organizationalUnit', ou: name })
  }
}

async function addPerson(
  client: Client,
  { uid, password, mail, objectGuid }: LdapPerson,
): Promise<string> {
  const dn = `uid=${uid},ou=people,${BASE}`
  const isMarked = objectGuid !== undefined
  const values = {
    objectClass: ['inetOrgPerson', ...(isMarked ? ['markedEntry'] : [])],
    uid: [uid],
    cn: [uid],
    sn: [uid],
    userPassword: [password],
    ...(mail !== undefined && { mail: [mail] }),
  }
  const attributes = Object.entries(values).map(
    ([type, list]) => new Attribute({ type, values: list }),
  )
  const marks = isMarked ? [new Attribute({ type: 'objectGUID', values: [objectGuid] })] : []
  await client.add(dn, [...attributes, ...marks])
  return dn
}

/** What Active Directory calls the id of an entry is here an attribute like any other. */
function configuration(folder: string): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4203.666.1 NAME 'markedEntry' SUP top AUXILIARY MAY objectGUID )
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${folder}/slapd.pid
TLSCACertificateFile ${folder}/authority.pem
TLSCertificateFile ${folder}/server.pem
TLSCertificateKeyFile ${folder}/server.key
database mdb
suffix "${BASE}"
rootdn "${ROOT_DN}"
rootpw "${ROOT_PASSWORD}"
directory ${folder}/data
dbnosync
overlay memberof
`
}

async function startSlapd(
  folder: string,
  { url, tlsUrl }: { url: string; tlsUrl: string },
): Promise<ChildProcess> {
  const flags = ['-d', '0', '-h', `${url} ${tlsUrl}`, '-f', join(folder, 'slapd.conf')]
  const child = spawn('/usr/sbin/slapd', flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', (cause) =>
      reject(new Error('These tests need /usr/sbin/slapd: Debian package slapd', { cause })),
    )
    child.once('exit', (code) => reject(new Error(`slapd ended with ${code}`)))
  })
  await Promise.race([untilOpen(Number(new URL(tlsUrl).port)), ended])
  // Killed later, it ends on purpose.
  ended.catch(() => undefined)
  return child
}

async function untilOpen(port: number): Promise<void> {
  while (!(await isOpen(port))) await wait(20)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Writes an authority and what it vouches for into the folder. Returns the authority's PEM. */
async function createCertificates(folder: string): Promise<string> {
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl(
    ...['req', '-x509', ...key, '-days', '2', '-subj', '/CN=Authority of a directory'],
    ...['-keyout', 'authority.key', '-out', 'authority.pem'],
  )
  await openssl(
    ...['req', '-x509', ...key, '-days', '2', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-CA', 'authority.pem', '-CAkey', 'authority.key'],
    ...['-keyout', 'server.key', '-out', 'server.pem'],
  )
  const { stdout } = await openssl('x509', '-in', 'authority.pem')
  return stdout
}
