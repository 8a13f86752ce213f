import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type LdapServer,
  type PingvinData,
  type RunningFloe,
  startFloe,
  startLdapServer,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signIn, signUp } from '../../world/accounts.ts'
import { runCommand } from '../../world/command.ts'
import { type Client, createClient } from '../../world/http-client.ts'
import { ALICE, BOB, hashes, MADE, NEVER } from '../../world/pingvin-data.ts'
import { importPingvin, lossesOf, usePingvin } from '../../world/pingvin.ts'
import { codeOf } from '../../world/shares.ts'

const FILE = 'b7f1a0c2-1111-4222-8333-444455556666'
const admin = newAccount()
const [ben, cora] = ['ben', 'cora'].map((uid) => ({
  ...{ uid, mail: `${uid}@example.org`, password: `password of ${uid}` },
})) as [Person, Person]

interface Person {
  uid: string
  mail: string
  password: string
}

describe('people of a directory', () => {
  let ldap: LdapServer
  let floe: RunningFloe
  const write = usePingvin()
  beforeAll(async () => {
    ;[ldap, floe] = await Promise.all([startLdapServer(), startFloe({ arrangement: 'embedded' })])
    await useDirectory(await signUp(floe, admin), ldap)
    await ldap.addPerson(ben)
  })
  afterAll(() => Promise.all([floe?.stop(), ldap?.close()]))

  test('get into the account they had in Pingvin Share, and nobody else does', async () => {
    const verdict = await importPingvin(floe, await write(dataOf(ldap.base)))
    expect(lossesOf(verdict)).toEqual([
      'account ben signs in with the LDAP directory, once that is set up here',
      'account ben: sign-in with github is left out',
      'account cora signs in with the LDAP directory, once that is set up here',
    ])
    await expectShareOf(floe.url, ben)
    await ldap.addPerson({ ...cora, uid: 'another.cora' })
    const { response } = await enter(floe.url, { ...cora, uid: 'another.cora' })
    expect([response.status, codeOf(response)]).toEqual([409, 'directory_account_exists'])
  })

  test('get into it after an export as well, whether they signed in before or not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'floe-export-'))
    const moved = await startFloe({ arrangement: 'embedded' })
    try {
      expect((await runCommand('export', { DATA_DIR: floe.dataDirectory }, folder)).code).toBe(0)
      const target = { DATA_DIR: moved.dataDirectory }
      expect((await runCommand('import', target, 'floe', folder)).code).toBe(0)
      await useDirectory(await signIn(moved.url, admin), ldap)
      await ldap.remove(`uid=another.cora,ou=people,${ldap.base}`)
      await ldap.addPerson(cora)
      await ldap.rename(`uid=ben,ou=people,${ldap.base}`, 'uid=benjamin')
      await expectShareOf(moved.url, { ...ben, uid: 'benjamin' })
      const { client } = await enter(moved.url, cora)
      expect((await client.send('GET', '/api/users/me')).body).toMatchObject({ id: BOB })
    } finally {
      await moved.stop()
      await rm(folder, { recursive: true })
    }
  })
})

async function useDirectory(client: Client, ldap: LdapServer): Promise<void> {
  const values = {
    'ldap.enabled': true,
    'ldap.url': ldap.tlsUrl,
    'ldap.certificate': ldap.authority,
    'ldap.bindDn': ldap.bindDn,
    'ldap.bindPassword': ldap.bindPassword,
    'ldap.searchBase': ldap.base,
    'ldap.fieldNameEmail': 'mail',
  }
  const json = Object.entries(values).map(([key, value]) => ({ key, value }))
  const response = await client.send('PATCH', '/api/configs/admin', { json })
  expect(response.status, response.text).toBe(200)
}

async function enter(url: string, { uid, password }: Person) {
  const client = createClient(url)
  const json = { username: uid, password }
  return { client, response: await client.send('POST', '/api/auth/signIn', { json }) }
}

async function expectShareOf(url: string, person: Person): Promise<void> {
  const { client, response } = await enter(url, person)
  expect(response.status, response.text).toBe(200)
  const me = await client.send('GET', '/api/users/me')
  expect(me.body).toMatchObject({ id: ALICE, isLdap: true })
  const { body } = await client.send('GET', '/api/shares')
  expect(body).toEqual([expect.objectContaining({ id: 'of-ben' })])
}

function dataOf(base: string): PingvinData {
  const user = { createdAt: MADE, updatedAt: MADE, password: hashes.alice }
  return {
    version: 'B',
    rows: {
      User: [
        {
          ...{ ...user, id: ALICE, username: ben.uid, email: ben.mail },
          ldapDN: `UID=Ben, OU=People, ${base}`,
        },
        {
          ...{ ...user, id: BOB, username: cora.uid, email: cora.mail },
          ldapDN: `uid=cora,ou=people,${base}`,
        },
      ],
      OAuthUser: [
        { id: '1', provider: 'github', providerUserId: '1', providerUsername: 'b', userId: ALICE },
      ],
      Share: [
        { createdAt: MADE, expiration: NEVER, uploadLocked: 1, id: 'of-ben', creatorId: ALICE },
      ],
      File: [{ id: FILE, createdAt: MADE, name: 'a.txt', size: '1', shareId: 'of-ben' }],
    },
    files: { [`of-ben/${FILE}`]: 'a' },
  }
}
