import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { defaultSettings, type Settings } from '@floe/contracts'
import { type LdapServer, startLdapServer } from '@floe/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newPerson, settingsOf } from '../testing/directory-world.ts'
import { createLdapDirectory } from './ldap-directory.ts'

let first: LdapServer
let second: LdapServer
let settings: Settings
const anna = newPerson('anna')
const directory = createLdapDirectory({ timeoutMs: 1_000 })
const authenticate = (changes: Partial<Settings> = {}) =>
  directory.authenticate({ ...settings, ...changes }, anna.uid, anna.password)

beforeAll(async () => {
  ;[first, second] = await Promise.all([startLdapServer(), startLdapServer()])
  settings = { ...defaultSettings(), ...settingsOf(first), 'ldap.startTls': false }
  settings['ldap.url'] = `${first.url} ${second.url}`
  await Promise.all([first, second].map((server) => server.addPerson(anna)))
})
afterAll(() => Promise.all([first.close(), second.close()]))
afterEach(() => silent.splice(0).forEach((server) => server.close()))

/** The tag of a request to bind. */
const BIND = 0x60

const silent: { close(): void }[] = []

/** Takes connections, and leaves what is said there to `listen`. */
async function startListener(listen: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    listen(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  silent.push({
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an empty password never becomes a bind', async () => {
  expect(await directory.authenticate(settings, anna.uid, '')).toBeNull()
  let asked = 0
  const url = `ldap://${await startListener(() => (asked += 1))}`
  expect(await directory.authenticate({ ...settings, 'ldap.url': url }, anna.uid, '')).toBeNull()
  expect(asked).toBe(0)
  await expect(authenticate({ 'ldap.bindPassword': '' })).rejects.toThrow('password of the bind DN')
})

test('the second server decides where the first is away, and the first again once it is back', async () => {
  await first.stop()
  expect(await authenticate()).toMatchObject({ username: 'anna', email: anna.mail })
  expect(await directory.authenticate(settings, anna.uid, 'wrong')).toBeNull()
  await first.start()
  await second.stop()
  expect(await authenticate()).toMatchObject({ username: 'anna' })
  await second.start()
})

test('a server that is killed in the middle is followed by the next', async () => {
  first.freeze()
  const outcome = authenticate()
  // It has the connection and what was asked, which it does not read any more.
  await first.stop()
  expect(await outcome).toMatchObject({ username: 'anna' })
  await first.start()
})

test('a server that says nothing is given up after its time', async () => {
  const silence = await startListener(() => undefined)
  const startedAt = Date.now()
  const ways = [
    authenticate({ 'ldap.url': `ldap://${silence}` }),
    authenticate({ 'ldap.url': `ldaps://${silence}` }),
    authenticate({ 'ldap.url': `ldap://${silence}`, 'ldap.startTls': true }),
  ]
  for (const way of await Promise.allSettled(ways)) expect(way.status).toBe('rejected')
  expect(Date.now() - startedAt).toBeLessThan(4_000)
})

test('a handshake that never ends is given up as well', async () => {
  // The response to StartTLS, whatever is asked: id 2, success.
  const consent = Buffer.from('300c02010278070a010004000400', 'hex')
  const url = `ldap://${await startListener((socket) => socket.once('data', () => socket.write(consent)))}`
  await expect(authenticate({ 'ldap.url': url, 'ldap.startTls': true })).rejects.toThrow(
    'no response within',
  )
})

test.each([
  ['operations error', '01', 'Operations'],
  ['time limit exceeded', '03', 'TimeLimit'],
  ['confidentiality required', '0d', 'Confidentiality'],
  ['busy', '33', 'Busy'],
  ['unavailable', '34', 'Unavailable'],
])('%s is no wrong password: the next server is asked', async (_what, code, named) => {
  let binds = 0
  const { port } = new URL(first.url)
  const address = await startListener((socket) => {
    const server = connect(Number(port), 'localhost').on('error', () => undefined)
    server.on('data', (data) => socket.write(data))
    socket.on('close', () => server.destroy())
    socket.on('data', (data) => {
      const [id = 0, operation] = data.subarray(4, 6)
      if (operation === BIND) binds += 1
      // The second one is the person's.
      if (operation === BIND && binds % 2 === 0) {
        const head = Buffer.from([0x30, 0x0c, 0x02, 0x01, id])
        socket.write(Buffer.concat([head, Buffer.from(`61070a01${code}04000400`, 'hex')]))
      } else {
        server.write(data)
      }
    })
  })
  const url = `ldap://${address}`
  await expect(authenticate({ 'ldap.url': url })).rejects.toThrow(named)
  expect(await authenticate({ 'ldap.url': `${url}, ${second.url}` })).toMatchObject({
    username: 'anna',
  })
})

test('where StartTLS is refused, nothing else is said', async () => {
  const said: Buffer[] = []
  const refusal = Buffer.from('300c02010278070a013504000400', 'hex')
  const url = `ldap://${await startListener((socket) =>
    socket.on('data', (data) => {
      said.push(data)
      socket.write(refusal)
    }),
  )}`
  await expect(authenticate({ 'ldap.url': url, 'ldap.startTls': true })).rejects.toThrow('ldap://')
  expect(Buffer.concat(said).toString('latin1')).not.toContain(settings['ldap.bindPassword'])
})

test('an id that no entry has finds nobody', async () => {
  const id = 'entryUUID:00000000-0000-4000-8000-000000000000'
  expect(await directory.find(settings, id)).toBeNull()
  expect(await directory.find(settings, 'objectGUID:00ff')).toBeNull()
})

test('groups and addresses come from the attributes of the settings', async () => {
  const dn = `uid=anna,ou=people,${first.base}`
  const group = await first.addGroup('readers', [dn])
  expect(await authenticate()).toMatchObject({ dn, groups: [group] })
  const others = { 'ldap.fieldNameMemberOf': 'sn', 'ldap.fieldNameEmail': 'CN' }
  expect(await authenticate(others)).toMatchObject({ groups: ['anna'], email: 'anna' })
})

test('a search without an account is possible where the directory lets it', async () => {
  expect(await authenticate({ 'ldap.bindDn': '' })).toMatchObject({ username: 'anna' })
})
