import { createHash, randomBytes } from 'node:crypto'
import { findReplicas } from '@floe/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { floeOf, haveAlone } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { completeShare, createShare, openShare } from './world/shares.ts'
import { append, beginUpload, offsetOf } from './world/tus.ts'

const mebibyte = 1024 * 1024

// Through the gateway it is chance which of them gets a request.
describe('an upload that two replicas of the file service share', () => {
  const floe = floeOf('split')
  let owner: Client
  let replicas: Client[]

  haveAlone(floe)
  beforeAll(async () => {
    owner = await signUp(floe)
    replicas = findReplicas(floe.dataDirectory, 'file').map(({ url }) => createClient(url))
    expect(replicas).toHaveLength(2)
  })

  function replicaAt(turn: number): Client {
    const replica = replicas[turn % replicas.length]
    if (!replica) throw new Error('there are two')
    return replica
  }

  async function begin(content: Buffer) {
    const shareId = await createShare(owner)
    const lengthBytes = content.length
    const path = await beginUpload(owner, { shareId, filename: 'a.bin', lengthBytes })
    return { shareId, path }
  }

  async function expectContent(shareId: string, content: Buffer): Promise<void> {
    await completeShare(owner, shareId)
    await openShare(owner, shareId)
    const share = await owner.send('GET', `/api/shares/${shareId}`)
    const { files } = share.body as { files: { id: string }[] }
    expect(files).toHaveLength(1)
    const { bytes } = await owner.send('GET', `/api/shares/${shareId}/files/${files[0]?.id}`)
    expect(sha256(bytes)).toBe(sha256(content))
  }

  test.each([100_003, 3 * mebibyte, 6 * mebibyte])(
    'goes on at the other one with every PATCH, of %d bytes',
    async (stepBytes) => {
      const content = randomBytes(5 * stepBytes + 1)
      const { shareId, path } = await begin(content)
      let turn = 0
      for (let offset = 0; offset < content.length; offset += stepBytes) {
        const step = content.subarray(offset, offset + stepBytes)
        const response = await append(replicaAt(turn), path, offset, step)
        expect(response.status, response.text).toBe(204)
        turn += 1
        expect(await offsetOf(replicaAt(turn), path)).toBe(offset + step.length)
      }
      await expectContent(shareId, content)
    },
  )

  const sendTwice = (path: string, content: Buffer) =>
    Promise.all(replicas.map((replica) => append(replica, path, 0, content)))

  test.each([1_000, 9 * mebibyte, 40 * mebibyte])(
    'is written by one of two that send the same offset at once, bodies of %d bytes',
    async (lengthBytes) => {
      for (let round = 0; round < 4; round += 1) {
        const content = randomBytes(lengthBytes)
        const { shareId, path } = await begin(content)
        const [winner, loser] = (await sendTwice(path, content)).map(({ status }) => status).sort()
        expect(winner).toBe(204)
        expect([409, 423]).toContain(loser)
        expect(await offsetOf(replicaAt(round), path)).toBe(content.length)
        await expectContent(shareId, content)
      }
    },
  )
})

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
