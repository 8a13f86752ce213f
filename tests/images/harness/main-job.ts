import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { admin } from '../../acceptance/world/start-arrangements.ts'

const run = promisify(execFile)

export interface KeptShare {
  id: string
  sha256: string
}

/** Makes the first account and a share of one file, all by curl. */
export async function shareByCurl(url: string): Promise<KeptShare> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-curl-'))
  try {
    const bytes = randomBytes(3_000_000)
    await writeFile(join(folder, 'bytes.bin'), bytes)
    const curl = (path: string, ...options: readonly string[]) =>
      run('curl', ['--fail-with-body', '--silent', '--show-error', ...options, url + path], {
        cwd: folder,
      })
    const cookies = ['--cookie', 'cookies', '--cookie-jar', 'cookies']
    const json = (body: object) => ['--json', JSON.stringify(body), ...cookies]
    const id = `kept-${randomBytes(4).toString('hex')}`
    await curl('/api/auth/signUp', ...json({ ...admin, username: 'admin' }))
    await curl('/api/shares', ...json({ id, expiration: '7-days', recipients: [], security: {} }))
    const encode = (value: string) => Buffer.from(value).toString('base64')
    const headers = [
      'Tus-Resumable: 1.0.0',
      `Upload-Length: ${bytes.length}`,
      `Upload-Metadata: shareId ${encode(id)},filename ${encode('bytes.bin')}`,
      'Content-Type: application/offset+octet-stream',
    ].flatMap((header) => ['--header', header])
    await curl('/api/uploads', ...cookies, ...headers, '--data-binary', '@bytes.bin')
    await curl(`/api/shares/${id}/complete`, ...cookies, '--request', 'POST')
    return { id, sha256: createHash('sha256').update(bytes).digest('hex') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The HTTP status of a new account's sign-up. */
export async function signUpByCurl(url: string): Promise<string> {
  const username = `member${randomBytes(4).toString('hex')}`
  const member = { username, email: `${username}@example.org`, password: admin.password }
  const output = ['--silent', '--output', '/dev/null', '--write-out', '%{http_code}']
  const { stdout } = await run('curl', [
    ...output,
    ...['--json', JSON.stringify(member), `${url}/api/auth/signUp`],
  ])
  return stdout
}

/** What somebody without an account gets of the share's one file. */
export async function fetchKept(url: string, { id }: Pick<KeptShare, 'id'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-curl-'))
  try {
    const curl = (path: string, ...options: readonly string[]) =>
      run('curl', ['--fail-with-body', '--silent', '--show-error', ...options, url + path], {
        cwd: folder,
      })
    const cookies = ['--cookie', 'cookies', '--cookie-jar', 'cookies']
    await curl(`/api/shares/${id}/token`, '--json', '{}', ...cookies)
    const { stdout } = await curl(`/api/shares/${id}`, ...cookies)
    const { files } = JSON.parse(stdout) as { files: { id: string }[] }
    const path = `/api/shares/${id}/files/${files[0]?.id}`
    await curl(path, ...cookies, '--output', 'bytes.bin')
    const bytes = await readFile(join(folder, 'bytes.bin'))
    return createHash('sha256').update(bytes).digest('hex')
  } finally {
    await rm(folder, { recursive: true })
  }
}
