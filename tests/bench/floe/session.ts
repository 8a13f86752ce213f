import { randomBytes } from 'node:crypto'
import { createTusUpload } from '../client/tus.ts'
import type { LoadClient } from '../client/load-client.ts'
import type { Floe } from './floe.ts'

export interface SharedFile {
  id: string
  name: string
  size: string
}

/** A signed-in user of one Floe, as an HTTP client. */
export interface Session {
  port: number
  email: string
  /** Value of the `Cookie` header. */
  cookie: string
  createShare: () => Promise<string>
  /** Returns the path of the upload. */
  createUpload: (shareId: string, filename: string, sizeBytes: number) => Promise<string>
  completeShare: (shareId: string) => Promise<void>
  deleteShare: (shareId: string) => Promise<void>
  listFiles: (shareId: string) => Promise<SharedFile[]>
  /** Begins a visit; returns the visitor's `Cookie` header. */
  openShare: (shareId: string) => Promise<string>
  /** The session of the first user, who is an administrator. */
  changeSettings: (values: Record<string, string | number | boolean>) => Promise<void>
}

export async function signUp({ port }: Pick<Floe, 'port'>): Promise<Session> {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const email = `${name}@example.com`
  const response = await call(port, 'POST', '/api/auth/signUp', undefined, {
    email,
    username: name,
    password: randomBytes(12).toString('hex'),
  })
  const cookie = cookiesOf(response)
  const as = (method: string, path: string, body?: object): Promise<Response> =>
    call(port, method, path, cookie, body)
  return {
    port,
    email,
    cookie,
    createShare: async () => {
      const id = `bench-${randomBytes(6).toString('hex')}`
      await as('POST', '/api/shares', { id, expiration: '1-day', recipients: [] })
      return id
    },
    createUpload: (shareId, filename, sizeBytes) =>
      createTusUpload({
        port,
        path: '/api/uploads',
        sizeBytes,
        metadata: { shareId, filename },
        headers: { cookie },
      }),
    completeShare: async (id) => void (await as('POST', `/api/shares/${id}/complete`)),
    deleteShare: async (id) => void (await as('DELETE', `/api/shares/${id}`)),
    listFiles: async (id) => {
      const response = await as('GET', `/api/shares/${id}/from-owner`)
      return ((await response.json()) as { files: SharedFile[] }).files
    },
    openShare: async (id) =>
      cookiesOf(await call(port, 'POST', `/api/shares/${id}/token`, undefined, {})),
    changeSettings: async (values) => {
      const changes = Object.entries(values).map(([key, value]) => ({ key, value }))
      await as('PATCH', '/api/configs/admin', changes)
    },
  }
}

/** A completed share of files with the load client's pattern; returns its id. */
export async function fillShare(
  session: Session,
  load: LoadClient,
  sizes: readonly number[],
): Promise<string> {
  const shareId = await session.createShare()
  for (const [index, sizeBytes] of sizes.entries()) {
    const path = await session.createUpload(shareId, `file-${index}.bin`, sizeBytes)
    const { port } = session
    await load.write({ port, method: 'PATCH', paths: [path], sizeBytes, isTus: true })
  }
  await session.completeShare(shareId)
  return shareId
}

export async function filePaths(session: Session, shareId: string): Promise<string[]> {
  const files = await session.listFiles(shareId)
  return files.map(({ id }) => `/api/shares/${shareId}/files/${id}`)
}

async function call(
  port: number,
  method: string,
  path: string,
  cookie?: string,
  body?: object,
): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) {
    throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
  }
  return response
}

function cookiesOf(response: Response): string {
  const pairs = response.headers.getSetCookie().map((text) => text.split(';')[0] ?? '')
  return pairs.filter((pair) => !pair.endsWith('=')).join('; ')
}
