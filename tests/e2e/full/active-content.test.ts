import { randomUUID } from 'node:crypto'
import { type RouteContract, routes } from '@floe/contracts'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { activeFiles, MARK, oneOfEachKind, proof } from '../harness/active-files.ts'
import type { Visitor } from '../harness/journey.ts'
import { makeShare } from '../harness/shares.ts'
import { stretchTripwires, type Tripwires } from '../harness/tripwires.ts'
import { useJourney } from '../harness/use-journey.ts'

const closing = '</script><script>alert(1)</script><!--\u2028'
/** Types by which a browser would run or apply what it gets. */
const active =
  /^(?:text\/html|(?:text|application)\/xml|message\/|multipart\/)|[+]xml|script|css|wasm/i
const hostilePage = '/floe-host'
const hostileProgram = '/floe-program'

/** What a page can make of an address, and how it tells that it is done with it. */
const embeddings = [
  ...['img', 'iframe', 'object', 'embed', 'script', 'module', 'stylesheet', 'video', 'track'],
  ...['worker', 'moduleWorker', 'importScripts', 'import', 'serviceWorker'],
] as const

/** Places content without running it as code: whether they load says nothing. */
const looks = new Set<string>(['img', 'iframe', 'object', 'embed', 'video', 'track'])

/**
 * A page of the site without any policy of its own: whatever stays inert here does so by what the
 * file's response says. Resolves to what did run by the page's own account.
 */
const hostScript = `
  const made = (tag, attributes, parent = document.body) => {
    const element = Object.assign(document.createElement(tag), attributes)
    parent.append(element)
    return new Promise((resolve) => {
      element.onload = element.onloadeddata = () => resolve(true)
      element.onerror = () => resolve(false)
    })
  }
  const heard = (worker) => new Promise((resolve) => {
    worker.onerror = (event) => (event.preventDefault(), resolve(false))
    worker.onmessage = () => resolve(true)
  })
  const settled = (promise) => promise.then(() => true, () => false)
  const attempts = {
    img: (src) => made('img', { src }),
    iframe: (src) => made('iframe', { src }),
    object: (data) => made('object', { data }),
    embed: (src) => made('embed', { src }),
    script: (src) => made('script', { src }),
    module: (src) => made('script', { type: 'module', src }),
    stylesheet: (href) => made('link', { rel: 'stylesheet', href }).then(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--${MARK}') !== ''),
    video: (src) => made('video', { src }),
    track: (src) => {
      const video = document.createElement('video')
      document.body.append(video)
      const loaded = made('track', { src, kind: 'subtitles', default: true }, video)
      video.textTracks[0].mode = 'showing'
      return loaded
    },
    worker: (src) => heard(new Worker(src)),
    moduleWorker: (src) => heard(new Worker(src, { type: 'module' })),
    importScripts: (src) => {
      const code = 'importScripts("' + new URL(src, location) + '"); postMessage(1)'
      return heard(new Worker(URL.createObjectURL(new Blob([code]))))
    },
    import: (src) => settled(import(src)),
    serviceWorker: (src) => settled(navigator.serviceWorker.register(src)),
  }
  globalThis.embed = (kind, address) => attempts[kind](address)
`

const isThorough = inject('isThorough')
const journey = useJourney()
let owner: Visitor
let context: BrowserContext
let tripwires: Tripwires
let shareId: string
/** Name → id. */
let files: Map<string, string>

beforeAll(async () => {
  owner = await journey.visitAsMember()
  const { url } = journey.floe
  const programs = activeFiles(url)
  shareId = await makeShare(owner.context.request, {
    id: 'active',
    name: `${closing.slice(0, 29)}\u2028`,
    description: closing,
    files: {
      ...(isThorough ? programs : oneOfEachKind(programs)),
      [`${closing.replaceAll('/', '')}.txt`]: proof(url, 'name'),
    },
  })
  // The owner looks: there is an account to steal. What the browser blocks, it complains about.
  context = await journey.browser.newContext({
    baseURL: url,
    storageState: await owner.context.storageState(),
  })
  context.setDefaultTimeout(20_000)
  tripwires = stretchTripwires(context, url)
  await context.route(`**${hostilePage}`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><body><script>${hostScript}</script>`,
    }),
  )
  const response = await context.request.post(`/api/shares/${shareId}/token`, { data: {} })
  expect(response.ok()).toBe(true)
  const share = (await (await context.request.get(`/api/shares/${shareId}`)).json()) as {
    files: { id: string; name: string }[]
  }
  files = new Map(share.files.map(({ id, name }) => [name, id]))
})

afterAll(() => context?.close())

const contentRoutes = Object.entries<RouteContract>(routes).filter(
  ([, { method, response }]) => method === 'get' && response === 'bytes',
)

/** Every address that responds with content of the share: a route added later comes by itself. */
function contentAddresses(): { name: string; address: string }[] {
  return contentRoutes.flatMap(([route, { path }]) => {
    const names = path.includes(':fileId') ? [...files.keys()] : [route]
    return names.flatMap((name) => {
      const address = path
        .replace(':shareId', shareId)
        .replace(':id', shareId)
        .replace(':fileId', files.get(name) ?? '')
      expect(address, `${route} has a parameter this test does not know`).not.toContain('/:')
      return [
        { name, address },
        { name, address: `${address}?download=false` },
      ]
    })
  })
}

/** Opens an address as a link does; a response that is saved to disk opens nothing. */
async function visit(page: Page, address: string): Promise<void> {
  try {
    await page.goto(address, { waitUntil: 'load' })
  } catch (error) {
    if (!/Download is starting|ERR_ABORTED/.test(String(error))) throw error
  }
}

test('every response with content says that nothing in it may run', async () => {
  for (const { name, address } of contentAddresses()) {
    for (const method of ['GET', 'HEAD']) {
      const response = await context.request.fetch(address, { method })
      const headers = response.headers()
      const what = `${method} ${address} (${name})`
      if (response.status() >= 400)
        expect(headers['content-type'] ?? 'application/json', what).toContain('json')
      expect(headers['content-type'] ?? '', what).not.toMatch(active)
      expect(headers['x-content-type-options'], what).toBe('nosniff')
      expect(headers['content-security-policy'], what).toContain("default-src 'none'")
      expect(headers['content-security-policy'], what).not.toMatch(/script-src|allow-/)
      const { 'content-disposition': disposition = 'attachment' } = headers
      if (
        disposition.startsWith('inline') &&
        !/^(?:video|audio|application\/pdf)/.test(headers['content-type'] ?? '')
      ) {
        expect(headers['content-security-policy'], what).toMatch(/^sandbox;/)
      }
    }
  }
})

test('no script runs from an address that is opened', async () => {
  const page = await context.newPage()
  const addresses = contentAddresses().map(({ address }) => address)
  const injected = encodeURIComponent(`"><script>${proof(journey.floe.url, 'echo')}</script>`)
  const echoes = [
    ...['/api/shares/', '/api/shares/active/files/', '/api/uploads/', '/share/', '/s/', '/'],
    ...['/api/', '/upload/', '/auth/resetPassword/', '/error?error=x&params=', '/error?error='],
    ...['/api/shares/active/files?name=', '/api/shares/active/files/zip?download=', '/img/'],
    ...[
      '/api/docs?url=',
      '/api/docs?configUrl=',
      '/auth/signIn?redirect=',
      '/share/active?folder=',
    ],
  ].map((path) => path + injected)
  const script = `javascript:${encodeURIComponent(proof(journey.floe.url, 'redirect'))}`
  const rest = [
    `/auth/signIn?redirect=${script}`,
    `/api/shares/${shareId}`,
    `/api/shares/${shareId}/metaData`,
  ]
  for (const address of [...addresses, ...echoes, ...rest]) await visit(page, address)
  await page.close()
  expect(await tripwires.take()).toEqual([])
})

test('no script runs from an upload that is not finished', async () => {
  const { url } = journey.floe
  const name = Buffer.from('page.html').toString('base64')
  const html = `<script>${proof(url, 'upload')}</script>`
  const open = await makeOpenShare()
  const created = await context.request.post('/api/uploads', {
    data: Buffer.from(html),
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '1000000',
      'Upload-Metadata': `shareId ${Buffer.from(open).toString('base64')},filename ${name},filetype dGV4dC9odG1s`,
      'Content-Type': 'application/offset+octet-stream',
    },
  })
  expect(created.status()).toBe(201)
  const location = created.headers()['location'] ?? ''
  const page = await context.newPage()
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    const headers = { 'Tus-Resumable': '1.0.0' }
    const response = await context.request.fetch(location, { method, headers })
    expect(response.headers()['content-type'] ?? '').not.toMatch(active)
    expect(response.headers()['x-content-type-options']).toBe('nosniff')
    expect(await response.text()).not.toContain('<script')
  }
  await visit(page, location)
  const chunk = await context.request.post(
    `/api/shares/${open}/files?name=page.html&chunkIndex=0&totalChunks=2`,
    { data: Buffer.from(html), headers: { 'Content-Type': 'application/octet-stream' } },
  )
  const { id } = (await chunk.json()) as { id: string }
  await visit(page, `/api/shares/${open}/files/${id}?download=false`)
  await visit(page, `/api/shares/${open}/files?id=${id}&name=page.html&chunkIndex=0&totalChunks=2`)
  await page.close()
  expect(await tripwires.take()).toEqual([])
})

async function makeOpenShare(): Promise<string> {
  const id = `open-${randomUUID().slice(0, 8)}`
  const response = await context.request.post('/api/shares', {
    data: { id, expiration: '1-day', recipients: [], security: {} },
  })
  expect(response.ok()).toBe(true)
  return id
}

/** Tries everything a page of the site can make of a file; returns what was run or applied. */
async function embed(address: string): Promise<string[]> {
  const page = await context.newPage()
  await page.goto(hostilePage)
  const ran: string[] = []
  await Promise.all(
    embeddings.flatMap((kind) =>
      ['true', 'false'].map(async (download) => {
        const target = `${address}?download=${download}&as=${kind}`
        const loaded = page.evaluate<boolean>(`embed('${kind}', '${target}')`)
        if (looks.has(kind)) {
          // A frame whose content is saved to disk tells its page nothing; the response is heard here.
          const heard = page.waitForResponse((response) => response.url().endsWith(target))
          await Promise.race([heard, loaded]).finally(() => heard.catch(() => undefined))
        } else if (await loaded) ran.push(kind)
      }),
    ),
  )
  const sign = await page.evaluate(`globalThis.${MARK.replaceAll('-', '_')}`)
  if (sign !== undefined) ran.push('a frame')
  await page.close()
  return ran
}

test('no script runs from a file that a page of the site embeds or loads as code', async () => {
  const rest = [...files]
  const takeTurns = async () => {
    for (let file = rest.shift(); file; file = rest.shift()) {
      const [name, id] = file
      expect(await embed(`/api/shares/${shareId}/files/${id}`), name).toEqual([])
    }
  }
  await Promise.all([takeTurns(), takeTurns(), takeTurns()])
  expect(await tripwires.take()).toEqual([])
})

test('no script runs in the preview, and its "Open original" opens what was opened above', async () => {
  const page = await context.newPage()
  await page.goto(`/share/${shareId}`)
  const first = page.getByRole('table').locator('tbody').getByRole('button').first()
  await first.click()
  const dialog = page.getByRole('dialog')
  const shown = dialog
    .locator('pre, article, img, video, audio, iframe')
    .or(dialog.getByText('Preview not supported'))
  const next = dialog.getByRole('button', { name: 'Next file' })
  const seen = new Set<string>()
  const originals = new Set<string>()
  for (;;) {
    await shown.first().waitFor()
    seen.add(await dialog.getByRole('heading').first().innerText())
    const original = dialog.getByRole('link', { name: 'Open original' })
    if (await original.isVisible()) originals.add((await original.getAttribute('href')) ?? '')
    if ((await next.getAttribute('aria-disabled')) === 'true') break
    await next.click()
  }
  expect(seen.size).toBe(files.size)
  const opened = contentAddresses().map(({ address }) => address)
  expect(opened).toEqual(expect.arrayContaining([...originals]))
  expect(originals.size).toBeGreaterThan(isThorough ? 20 : 5)
  await page.close()
  expect(await tripwires.take()).toEqual([])
})

test('the tripwires see a script that does run', async () => {
  const { url } = journey.floe
  const body = `${proof(url, 'control')};try{postMessage(1)}catch(e){}`
  await context.route(`**${hostileProgram}*`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  )
  const ran = await embed(hostileProgram)
  const code = embeddings.filter((kind) => !looks.has(kind) && kind !== 'stylesheet')
  expect([...new Set(ran)].sort()).toEqual([...code, 'a frame'].sort())
  const page = await context.newPage()
  await context.route(`**${hostilePage}`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<script>${body}</script>` }),
  )
  const stolen = page.waitForRequest((request) => request.url().includes('stolen='))
  await page.goto(hostilePage)
  expect((await stolen).url()).toContain('username')
  await page.close()
  const touched = (await tripwires.take()).join('\n')
  for (const sign of ['by=control', `said ${MARK}`, 'a cookie', 'storage', 'a service worker']) {
    expect(touched).toContain(sign)
  }
})
