import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as tus from 'tus-js-client'
import { expect, test } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { completeShare, createShare, openShare } from './world/shares.ts'
import { encodeMetadata, offsetStream } from './world/tus.ts'

const run = promisify(execFile)

onOneArrangement('split', 'tus clients in use', (floe) => {
  async function visit(shareId: string) {
    const visitor = createClient(floe.url)
    await openShare(visitor, shareId)
    const share = await visitor.send('GET', `/api/shares/${shareId}`)
    const { files } = share.body as { files: { id: string; name: string }[] }
    return Promise.all(
      files.map(async ({ id, name }) => ({
        name,
        bytes: (await visitor.send('GET', `/api/shares/${shareId}/files/${id}`)).bytes,
      })),
    )
  }

  function upload(
    owner: Client,
    shareId: string,
    content: Buffer,
    options: Partial<tus.UploadOptions>,
  ) {
    return new Promise<void>((resolve, reject) => {
      new tus.Upload(content, {
        endpoint: `${floe.url}/api/uploads`,
        headers: { Cookie: owner.cookies.header('/api/uploads') },
        metadata: { shareId, filename: 'file.bin', filetype: 'application/octet-stream' },
        retryDelays: [],
        onSuccess: () => resolve(),
        onError: reject,
        ...options,
      }).start()
    })
  }

  test.each<[string, Partial<tus.UploadOptions>]>([
    ['in one request', {}],
    ['in chunks', { chunkSize: 300_000 }],
    ['with its creation', { uploadDataDuringCreation: true }],
    ['with deferred length', { uploadLengthDeferred: true, chunkSize: 300_000 }],
    ['through POST alone', { overridePatchMethod: true }],
  ])('tus-js-client uploads %s', async (_how, options) => {
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    const content = randomBytes(1_000_003)
    await upload(owner, shareId, content, options)
    await completeShare(owner, shareId)
    const [file] = await visit(shareId)
    expect(file?.bytes.equals(content)).toBe(true)
  })

  test('tus-js-client uploads in parallel parts', async () => {
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    const content = randomBytes(4_000_001)
    await upload(owner, shareId, content, {
      parallelUploads: 4,
      metadataForPartialUploads: { shareId },
    })
    await completeShare(owner, shareId)
    const files = await visit(shareId)
    expect(files).toHaveLength(1)
    expect(files[0]?.bytes.equals(content)).toBe(true)
  })

  test('tus-js-client resumes an upload that was aborted', async () => {
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    const content = randomBytes(3_000_000)
    const url = await new Promise<string>((resolve, reject) => {
      const first = new tus.Upload(content, {
        endpoint: `${floe.url}/api/uploads`,
        headers: { Cookie: owner.cookies.header('/api/uploads') },
        metadata: { shareId, filename: 'file.bin' },
        chunkSize: 1_000_000,
        onError: reject,
        onChunkComplete: (_size, accepted) => {
          if (accepted < 2_000_000) return
          void first.abort().then(() => resolve(first.url ?? ''))
        },
      })
      first.start()
    })
    await upload(owner, shareId, content, { uploadUrl: url })
    await completeShare(owner, shareId)
    const [file] = await visit(shareId)
    expect(file?.bytes.equals(content)).toBe(true)
  })

  test('curl alone signs up, uploads in two pieces, completes and downloads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'floe-curl-'))
    try {
      const jar = join(folder, 'jar')
      const [first, second] = [join(folder, 'first'), join(folder, 'second')]
      await writeFile(first, 'first half, ')
      await writeFile(second, 'second half')
      const curl = async (path: string, ...args: string[]) => {
        const { stdout } = await run('curl', [
          ...['--silent', '--show-error', '--include', '--http1.1', '--max-time', '30'],
          ...['-b', jar, '-c', jar, ...args, `${floe.url}${path}`],
        ])
        return stdout
      }
      const json = (body: object) => ['--json', JSON.stringify(body)]
      const tusHeader = ['-H', 'Tus-Resumable: 1.0.0']
      const shareId = `curl-${randomBytes(6).toString('hex')}`
      expect(await curl('/api/auth/signUp', ...json(newAccount()))).toContain(' 201 ')
      expect(
        await curl('/api/shares', ...json({ id: shareId, expiration: '1-day', recipients: [] })),
      ).toContain(' 201 ')
      const metadata = encodeMetadata({ shareId, filename: 'curl.txt' })
      const created = await curl(
        '/api/uploads',
        ...['-X', 'POST', ...tusHeader, '-H', 'Upload-Length: 23'],
        ...['-H', `Upload-Metadata: ${metadata}`],
      )
      const path = /^location: (\S+)/im.exec(created)?.[1] ?? ''
      const patch = (offset: number, file: string) =>
        curl(
          path,
          ...['-X', 'PATCH', ...tusHeader, '-H', `Upload-Offset: ${offset}`],
          ...['-H', `Content-Type: ${offsetStream}`, '--data-binary', `@${file}`],
        )
      expect(await patch(0, first)).toMatch(/upload-offset: 12/i)
      expect(await curl(path, '--head', ...tusHeader)).toMatch(/upload-offset: 12/i)
      expect(await patch(12, second)).toMatch(/upload-offset: 23/i)
      expect(await curl(`/api/shares/${shareId}/complete`, '-X', 'POST')).toContain(' 202 ')
      expect(await curl(`/api/shares/${shareId}/token`, ...json({}))).toContain(' 200 ')
      const listing = await curl(`/api/shares/${shareId}`)
      const fileId = /"files":\[\{"id":"([^"]+)"/.exec(listing)?.[1] ?? ''
      expect(await curl(`/api/shares/${shareId}/files/${fileId}`)).toContain(
        'first half, second half',
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
