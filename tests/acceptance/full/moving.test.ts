import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createNeighbourDatabase,
  reserveMinioServer,
  type RunningFloe,
  type S3Server,
  startFloe,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signUp } from '../world/accounts.ts'
import { runCommand } from '../world/command.ts'
import { createClient } from '../world/http-client.ts'
import { openShare, publishShare, type PublishedShare } from '../world/shares.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode } from '../world/totp.ts'

const content = randomBytes(300_000)

// From one installation to another: Floes of their own.
describe('an installation moves from one process to many', () => {
  let minio: S3Server
  let one: RunningFloe
  let many: RunningFloe | undefined
  let directory: string
  let published: PublishedShare
  let totpSecret: string
  const account: Account = newAccount()

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'floe-moving-'))
    minio = await reserveMinioServer()
    await minio.start()
    one = await startFloe({ arrangement: 'embedded' })
    const owner = await signUp(one, account)
    published = await publishShare(owner, { 'data.bin': content })
    totpSecret = await enrolTotp(owner, account)
  })
  afterAll(async () => {
    await many?.stop()
    await one?.stop()
    await minio?.remove()
    await rm(directory, { recursive: true, force: true })
  })

  test('with files, accounts and second factors', async () => {
    const folder = join(directory, 'backup')
    const saved = await runCommand('backup', { DATA_DIR: one.dataDirectory }, folder)
    expect(saved).toMatchObject({ code: 0, errors: '' })
    const target = {
      DATA_DIR: join(directory, 'none'),
      DATABASE_URL: await createNeighbourDatabase(one.dataDirectory, 'moved'),
      S3_ENDPOINT: minio.endpoint,
      S3_ACCESS_KEY: minio.accessKey,
      S3_SECRET_KEY: minio.secretKey,
      S3_BUCKET: 'moved',
    }
    const foreign = { ...target, INTERNAL_SECRET: 'another secret of sixteen' }
    expect(await runCommand('restore', foreign, folder)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(
        /^Nothing was restored: .+ INTERNAL_SECRET to the content of .+secret\.key\.\n$/,
      ),
    })
    const key = (await readFile(join(folder, 'secret.key'), 'utf8')).trim()
    const environment = { ...target, INTERNAL_SECRET: key }
    expect(await runCommand('restore', environment, folder)).toMatchObject({ code: 0, errors: '' })

    many = await startFloe({ arrangement: 'split', environment })
    const visitor = createClient(many.url)
    await openShare(visitor, published.id)
    const file = await visitor.send(
      'GET',
      `/api/shares/${published.id}/files/${published.fileIds[0]}`,
    )
    expect(file.bytes.equals(content)).toBe(true)
    const begun = await beginSignIn(many.url, account)
    const finished = await finishSignIn(begun, totpCode(totpSecret, 1))
    expect(finished.status, finished.text).toBe(200)
  }, 180_000)
})
