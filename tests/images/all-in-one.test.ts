import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareByBrowser } from './harness/browser-job.ts'
import { buildImage, compressedSize, type Container, runContainer } from './harness/containers.ts'
import { fetchKept, type KeptShare, shareByCurl } from './harness/main-job.ts'
import { type Podman, startPodman } from './harness/podman.ts'
import { makeNodeImage } from './harness/stand-ins.ts'

const MEGABYTE = 1_000_000

let podman: Podman
let base: string
let image: string

beforeAll(async () => {
  podman = await startPodman()
  base = await makeNodeImage(podman)
  image = await buildImage(podman, { target: 'all-in-one', base })
}, 1_200_000)

afterAll(() => podman?.close())

/** A folder for /data that goes with the test. */
async function withVolume(
  owner: string,
  work: (start: (image: string, ...options: string[]) => Promise<Container>) => Promise<void>,
): Promise<void> {
  const volume = await mkdtemp(join(tmpdir(), 'floe-volume-'))
  const [uid, gid] = owner.split(':').map(Number)
  await chown(volume, uid ?? 0, gid ?? 0)
  const containers: Container[] = []
  try {
    await work(async (image, ...options) => {
      const mount = ['--volume', `${volume}:/data`]
      const container = await runContainer(podman, image, [...mount, ...options])
      containers.push(container)
      return container
    })
  } finally {
    for (const container of containers) await container.remove()
    await rm(volume, { recursive: true })
  }
}

test('the image is at most 250 MB to fetch', async () => {
  const size = await compressedSize(podman, image)
  console.log(`all-in-one: ${Math.round(size / MEGABYTE)} MB compressed`)
  expect(size).toBeLessThanOrEqual(250 * MEGABYTE)
})

test.each(['1000:1000', '12345:12345'])(
  'as %s, on a read-only root and without rights, it does its job, outlives a kill and stops',
  (user) =>
    withVolume(user, async (start) => {
      const first = await start(image, '--user', user)
      console.log(`healthy after ${Math.round(await first.untilHealthy())} ms, new, as ${user}`)
      const kept = await shareByCurl(first.url)
      expect(await fetchKept(first.url, kept)).toBe(kept.sha256)
      await first.kill()

      const second = await start(image, '--user', user)
      console.log(`healthy after ${Math.round(await second.untilHealthy())} ms, after a kill`)
      expect(await fetchKept(second.url, kept)).toBe(kept.sha256)
      const { status, took } = await second.stop()
      console.log(`stopped in ${Math.round(took)} ms`)
      expect(status).toBe(0)
      expect(took).toBeLessThan(10_000)
    }),
)

test('a file goes from one browser to another through the container', () =>
  withVolume('1000:1000', async (start) => {
    const { url, untilHealthy } = await start(image)
    await untilHealthy()
    await shareByBrowser(url)
  }))

test('started as root with PUID and PGID, it runs as them and owns what it keeps', () =>
  withVolume('0:0', async (start) => {
    const rights = ['CHOWN', 'DAC_OVERRIDE', 'SETGID', 'SETUID'].flatMap((one) => [
      '--cap-add',
      one,
    ])
    const ids = ['--env', 'PUID=1026', '--env', 'PGID=100']
    const container = await start(image, '--user', '0:0', ...rights, ...ids)
    await container.untilHealthy()
    const kept = await shareByCurl(container.url)
    expect(await container.run('stat', '--format', '%u:%g', '/data/objects')).toBe('1026:100')
    const cluster = '/data/postgres/18/cluster'
    expect(await container.run('stat', '--format', '%u:%g', cluster)).toBe('1026:100')
    expect(await fetchKept(container.url, kept)).toBe(kept.sha256)
  }))

test('started as somebody else, it refuses PUID with the way to do it', () =>
  withVolume('1000:1000', async (start) => {
    const container = await start(image, '--env', 'PUID=1026')
    expect(await container.end()).toMatchObject({
      status: 1,
      output: expect.stringContaining(
        'PUID 1026 takes a start as root, for example with user: "0:0"',
      ),
    })
  }))

test('an installation of the commit before goes on with all it had', () =>
  withVolume('1000:1000', async (start) => {
    const before = await buildImage(podman, { target: 'all-in-one', base, revision: 'HEAD~1' })
    const old = await start(before)
    await old.untilHealthy()
    const kept: KeptShare = await shareByCurl(old.url)
    await old.stop()
    const upgraded = await start(image)
    await upgraded.untilHealthy()
    expect(await fetchKept(upgraded.url, kept)).toBe(kept.sha256)
  }))
