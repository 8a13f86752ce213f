import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { freePort, startProcess, waitForPort } from '../harness/process.ts'
import type { Scratch } from '../harness/scratch.ts'

export interface Minio {
  port: number
  endpoint: string
  accessKey: string
  secretKey: string
  /** What Floe is told to keep its objects in this bucket. */
  environment: (bucket: string) => Record<string, string>
  stop: () => Promise<void>
}

/** `undefined` where neither the PATH nor Go has one. */
export async function startMinio(scratch: Scratch): Promise<Minio | undefined> {
  const command = findMinio()
  if (command === undefined) return undefined
  const port = await freePort()
  const [accessKey, secretKey] = ['floe', 'a secret of the bench']
  const running = startProcess({
    command,
    args: ['server', '--quiet', '--address', `127.0.0.1:${port}`, scratch.folder('minio')],
    env: {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    logFile: scratch.file('minio.log'),
  })
  await waitForPort(port, running)
  const endpoint = `http://127.0.0.1:${port}`
  return {
    port,
    endpoint,
    accessKey,
    secretKey,
    environment: (bucket) => ({
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    }),
    stop: running.stop,
  }
}

function findMinio(): string | undefined {
  const goPath = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return [...folders, join(goPath, 'bin')]
    .map((folder) => join(folder, 'minio'))
    .find((path) => spawnSync(path, ['--version']).status === 0)
}
