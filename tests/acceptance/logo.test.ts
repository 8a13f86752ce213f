import { deflateSync } from 'node:zlib'
import { type Boot, MOST_LOGO_BYTES } from '@floe/contracts'
import {
  badLogos,
  blackPng,
  colourPng,
  pngChunk,
  pngFile,
  pngHeader,
  type RunningFloe,
  startFloe,
} from '@floe/testing'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newAccount, signInAsAdmin, signUp } from './world/accounts.ts'
import { onBothArrangements, onOneArrangement } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { findDecoders, forgetPeak, peakMegabytes, removeLogo, setLogo } from './world/logos.ts'
import { codeOf } from './world/shares.ts'

const red = colourPng(64, [200, 30, 30])
const blue = colourPng(64, [30, 30, 200])

onOneArrangement('embedded', 'the logo', (floe) => {
  let admin: Client
  let visitor: Client
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    visitor = createClient(floe.url)
    await removeLogo(admin)
  })
  afterAll(() => removeLogo(admin))

  const get = (path: string, headers = {}) => visitor.send('GET', path, { headers })

  test('is on every icon from the response on, for visitors who hold an old one too', async () => {
    const before = await get('/img/logo.png')
    expect((await setLogo(admin, red)).status).toBe(201)
    const headers = { 'If-None-Match': before.headers.etag ?? '' }
    const after = await get('/img/logo.png', headers)
    expect(after.status).toBe(200)
    expect(after.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'no-cache',
    })
    expect(colourOf(after)).toEqual([200, 30, 30])
    expect((await get('/img/logo.png', { 'If-None-Match': after.headers.etag })).status).toBe(304)

    expect((await setLogo(admin, blue)).status).toBe(201)
    expect(colourOf(await get('/img/logo.png'))).toEqual([30, 30, 200])

    expect((await removeLogo(admin)).status).toBe(204)
    expect((await get('/img/logo.png')).bytes).toEqual(before.bytes)
  })

  test('is in every place where a page or its manifest names an icon', async () => {
    await setLogo(admin, red)
    const page = (await get('/')).text
    const manifest = (await get('/manifests/en.webmanifest')).body as {
      icons: { src: string; sizes: string }[]
      shortcuts: { icons: { src: string; sizes: string }[] }[]
    }
    const icons = [...manifest.icons, ...manifest.shortcuts.flatMap(({ icons }) => icons)]
    const linked = [...page.matchAll(/<link\s+rel="(?:apple-touch-)?icon"[^>]*\shref="([^"]+)"/g)]
    const sources = [...linked.map(([, href]) => href ?? ''), ...icons.map(({ src }) => src)]
    expect([linked.length, manifest.icons.length, icons.length]).toEqual([3, 10, 12])
    for (const source of sources) {
      expect(source).toMatch(/\?v=[\w-]{16}$/)
      const response = await get(source)
      expect(response.status, source).toBe(200)
      if (source.startsWith('/favicon.ico')) expect(response.bytes.readUInt16LE(2)).toBe(1)
      else expect(colourOf(response), source).toEqual([200, 30, 30])
    }
    for (const { src, sizes } of icons) {
      const { width, height } = PNG.sync.read((await get(src)).bytes)
      expect(`${width}x${height}`, src).toBe(sizes)
    }
  })

  test.each([...badLogos])('is not $what: $code', async ({ code, make }) => {
    await setLogo(admin, red)
    const before = await get('/img/logo.png')
    const response = await setLogo(admin, make())
    expect([response.status, codeOf(response)]).toEqual([400, code])
    expect((response.body as { message: string }).message).toMatch(/^The logo /)
    expect((await get('/img/logo.png')).bytes).toEqual(before.bytes)
  })

  test('is not a file of too many bytes, nor one declared as something else', async () => {
    const big = Buffer.concat([red, Buffer.alloc(MOST_LOGO_BYTES)])
    expect(codeOf(await setLogo(admin, big))).toBe('logo_too_big')
    expect(codeOf(await setLogo(admin, red, { type: 'image/svg+xml' }))).toBe('logo_not_png')
  })

  test('is for administrators alone to change', async () => {
    const user = await signUp(floe, newAccount())
    for (const caller of [visitor, user]) {
      expect(codeOf(await setLogo(caller, blue))).toBe('forbidden')
      expect(codeOf(await removeLogo(caller))).toBe('forbidden')
    }
  })
})

onBothArrangements('the logo for dark pages', (floe) => {
  const variant = 'dark'
  let admin: Client
  let visitor: Client
  const removeBoth = () => Promise.all([removeLogo(admin), removeLogo(admin, variant)])
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    visitor = createClient(floe.url)
    await removeBoth()
  })
  afterAll(removeBoth)

  const colourAt = async (path: string) => colourOf(await visitor.send('GET', path))
  const bootOf = async () => {
    const { text } = await visitor.send('GET', '/')
    return JSON.parse(/id="floe-boot"[^>]*>(.*?)<\/script>/.exec(text)?.[1] ?? '') as Boot
  }

  test('shows where a page is dark, from the first paint on, and nowhere else', async () => {
    await setLogo(admin, red)
    expect((await bootOf()).darkLogo).toBeNull()
    expect(await colourAt('/img/logo-dark.png')).toEqual([200, 30, 30])
    const response = await setLogo(admin, blue, { variant })
    const { version } = response.body as { version: string }
    expect(response.status).toBe(201)
    expect((await bootOf()).darkLogo).toBe(version)
    expect(await colourAt(`/img/logo-dark.png?v=${version}`)).toEqual([30, 30, 200])
    for (const path of ['/img/logo.png', '/img/icons/icon-192x192.png']) {
      expect(await colourAt(path)).toEqual([200, 30, 30])
    }

    const dark = `/img/icons/icon-48x48-dark.png?v=${version}`
    const documentOf = async (scheme: string) => {
      const headers = { Cookie: `mantine-color-scheme=${scheme}` }
      return (await visitor.send('GET', '/auth/signIn', { headers })).text
    }
    expect(await documentOf('light')).not.toContain(dark)
    expect(await documentOf('auto')).toContain(
      `<source media="(prefers-color-scheme: dark)" srcSet="${dark} 48w`,
    )
    const always = await documentOf('dark')
    expect(always).toContain(`srcSet="${dark} 48w`)
    expect(always).not.toContain('<source')
  })

  test('leaves the usual one everywhere once it is removed', async () => {
    await setLogo(admin, red)
    await setLogo(admin, blue, { variant })
    expect((await removeLogo(admin, variant)).status).toBe(204)
    expect(await bootOf()).toMatchObject({ darkLogo: null, logo: expect.any(String) })
    expect(await colourAt('/img/logo-dark.png')).toEqual([200, 30, 30])
  })

  test('is for administrators alone to change, and refused as the usual one is', async () => {
    const user = await signUp(floe, newAccount())
    for (const caller of [visitor, user]) {
      expect(codeOf(await setLogo(caller, blue, { variant }))).toBe('forbidden')
      expect(codeOf(await removeLogo(caller, variant))).toBe('forbidden')
    }
    const oblong = blackPng(64, 128)
    expect(codeOf(await setLogo(admin, oblong, { variant }))).toBe('logo_not_square')
  })
})

describe('a hostile logo', () => {
  let floe: RunningFloe
  let admin: Client
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
    admin = await signUp(floe)
  })
  afterAll(() => floe.stop())

  /** 134 MB of pixels that are all needed at once, in 0.2 MB. */
  function heaviestLogo(): Buffer {
    const edge = 4_096
    const header = pngHeader({
      width: edge,
      height: edge,
      depth: 16,
      colourType: 6,
      interlaced: true,
    })
    const rows = deflateSync(Buffer.alloc(edge * edge * 8 + 4 * edge))
    return pngFile([header, pngChunk('IDAT', rows)])
  }

  test('costs neither the server nor its process for pictures much memory, nor their lives', async () => {
    const heaviest = heaviestLogo()
    expect((await setLogo(admin, red)).status).toBe(201)
    forgetPeak(floe.pid)
    const before = peakMegabytes(floe.pid)
    const hostile = [...badLogos.map(({ make }) => make()), heaviest, heaviest]
    const big = Buffer.concat([heaviest, Buffer.alloc(MOST_LOGO_BYTES - heaviest.length)])
    const responses = await Promise.all(
      [...hostile, big, big].map((bytes) => setLogo(admin, bytes)),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(badLogos.length)

    expect(peakMegabytes(floe.pid) - before).toBeLessThan(80)
    const [decoder = 0, ...others] = findDecoders(floe.pid)
    expect(others).toEqual([])
    expect(peakMegabytes(decoder)).toBeLessThan(400)
    expect((await setLogo(admin, blue)).status).toBe(201)
    await vi.waitFor(() => expect(findDecoders(floe.pid)).toEqual([]), 20_000)
  })
})

/** Of the pixel in the middle. */
function colourOf({ bytes }: HttpResponse): number[] {
  const { width, height, data } = PNG.sync.read(bytes)
  const middle = 4 * (width * Math.floor(height / 2) + Math.floor(width / 2))
  return [...data.subarray(middle, middle + 3)]
}
