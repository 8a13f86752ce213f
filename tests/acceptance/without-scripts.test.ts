import { errorCatalogue } from '@floe/contracts'
import { beforeAll, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { beginSending, complete, createReverseShare, openSender } from './world/reverse-shares.ts'
import {
  addFile,
  codeOf,
  createShare,
  newShareId,
  openShare,
  publishShare,
  type ShareOptions,
} from './world/shares.ts'

const password = 'open sesame'

/** What the page says of itself where no script runs. */
function plainOf({ text }: HttpResponse): string {
  return /<main[^]*<\/main>/.exec(text)?.[0] ?? ''
}

function previewOf({ text }: HttpResponse): Record<string, string> {
  const tags = text.matchAll(
    /<meta (?:property|name)="((?:og|twitter):\w+)" content="([^"]*)" \/>/g,
  )
  return Object.fromEntries([...tags].map(([, name, content]) => [name ?? '', content ?? '']))
}

function sendForm(
  visitor: Client,
  shareId: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return visitor.send('POST', `/api/shares/${shareId}/open`, {
    bytes: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
}

onOneArrangement('embedded', 'without scripts', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  const publish = (options: ShareOptions & { description?: string } = {}) =>
    publishShare(
      owner,
      { 'secret-plans.txt': 'burn after reading', 'b.txt': 'b' },
      { name: 'Moon base', ...options },
    )

  async function viewsOf(shareId: string): Promise<number> {
    const { body } = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    return (body as { views: number }).views
  }

  const pageOf = (client: Client, shareId: string, query = '') =>
    client.send('GET', `/share/${shareId}${query}`, { headers: { Accept: 'text/html' } })

  test('a link tells what it leads to, as often as it is fetched, and no view is counted', async () => {
    const { id } = await publish({ security: { maxViews: 1 } })
    for (const agent of ['Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1', 'curl/8']) {
      const bot = createClient(floe.url)
      const headers = { 'User-Agent': agent }
      const short = await bot.send('GET', `/s/${id}`, { headers })
      expect(short.headers.location).toBe(`/share/${id}`)
      expect((await bot.send('HEAD', `/share/${id}`, { headers })).status).toBe(200)
      const page = await bot.send('GET', `/share/${id}`, { headers })
      expect(page.status).toBe(200)
      expect(previewOf(page)).toMatchObject({
        'og:type': 'website',
        'og:title': 'Moon base',
        'og:description': '2 files, 19\u00a0B',
        'og:image': expect.stringMatching(/^https?:\/\/[^/]+\/img\/logo\.png\?v=/),
        'twitter:card': 'summary',
      })
      // No address of this site was set, and a client may name anybody's.
      expect(previewOf(page)).not.toHaveProperty(['og:url'])
      expect(page.text).toContain('<meta name="robots" content="noindex" />')
      expect(page.text).not.toContain('secret-plans')
      expect(page.headers['set-cookie']).toBeUndefined()
    }
    expect(await viewsOf(id)).toBe(0)
  })

  test('a preview speaks the language of who asks', async () => {
    const { id } = await publish()
    const page = await createClient(floe.url).send('GET', `/share/${id}`, {
      headers: { 'Accept-Language': 'ar' },
    })
    expect(page.text).toContain('<html lang="ar" dir="rtl"')
    expect(previewOf(page)['og:description']).toMatch(/^ملفان، /)
  })

  test('of a share that does not open to everybody a preview tells what it tells of none', async () => {
    const usedUp = (await publish({ security: { maxViews: 1 } })).id
    await openShare(createClient(floe.url), usedUp)
    const deleted = (await publish()).id
    await owner.send('DELETE', `/api/shares/${deleted}`)
    const unfinished = await createShare(owner, { name: 'Moon base' })
    await addFile(owner, unfinished, 'secret-plans.txt', 'burn after reading')
    const expired = (await publish()).id
    await owner.send('PATCH', `/api/shares/${expired}`, {
      json: { expiration: new Date(Date.now() + 1_000).toISOString() },
    })
    await vi.waitFor(
      async () => expect((await openShare(createClient(floe.url), expired)).status).toBe(404),
      10_000,
    )
    const sender = openSender(owner, await createReverseShare(owner, { publicAccess: false }))
    const sent = await beginSending(sender, { 'secret-plans.txt': 'x' }, { name: 'Moon base' })
    await complete(sender, sent)
    const passworded = (await publish({ security: { password } })).id

    const none = newShareId()
    const ofNone = previewOf(await pageOf(createClient(floe.url), none))
    expect(ofNone).not.toHaveProperty(['og:description'])
    const shares = { usedUp, deleted, unfinished, expired, sent, passworded }
    const readable = ['usedUp', 'sent', 'passworded']
    for (const [what, id] of Object.entries(shares)) {
      // A visitor who was let in may pass on what their browser has.
      for (const client of [createClient(floe.url), owner, sender]) {
        const page = await pageOf(client, id)
        expect(previewOf(page), what).toEqual(ofNone)
        // Its owner and the receiver of what was sent read without opening it.
        if (readable.includes(what) && client === owner) continue
        expect(page.text, what).not.toMatch(/Moon base|secret-plans|2 files/)
      }
    }
  })

  test('a plain link stands on the page, and following it counts the view that fetching did not', async () => {
    const { id, fileIds } = await publishShare(
      owner,
      { 'a.txt': 'A' },
      { security: { maxViews: 1 } },
    )
    const visitor = createClient(floe.url)
    const plain = plainOf(await pageOf(visitor, id))
    const [, link] = /href="(\/api\/[^"]+)" rel="nofollow" download/.exec(plain) ?? []
    expect(link).toBe(`/api/shares/${id}/files/${fileIds[0]}`)
    expect(await viewsOf(id)).toBe(0)
    expect(await visitor.send('GET', link ?? '')).toMatchObject({ status: 200, text: 'A' })
    expect(await viewsOf(id)).toBe(1)
    expect(plainOf(await pageOf(createClient(floe.url), id))).not.toContain('/files/')
  })

  test('a press opens the share: one view, the cookie of a visit, every file', async () => {
    const { id, fileIds } = await publish({ security: { maxViews: 1 } })
    const visitor = createClient(floe.url)
    const closed = plainOf(await pageOf(visitor, id))
    expect(closed).toContain('Moon base')
    expect(closed).toContain(`action="/api/shares/${id}/open"`)
    expect(closed.match(/\/files\/[^"]+/g)).toEqual(['/files/zip'])
    expect(closed).not.toContain('secret-plans')
    const pressed = await sendForm(visitor, id)
    expect([pressed.status, pressed.headers.location]).toEqual([303, `/share/${id}`])
    const [cookie] = pressed.headers['set-cookie'] ?? []
    expect(cookie).toMatch(new RegExp(`^share_${id}_token=[^;]+; Path=/; HttpOnly; SameSite=Lax$`))
    const open = plainOf(await pageOf(visitor, id))
    expect(open).not.toContain('<form')
    const links = [...open.matchAll(/href="(\/api\/[^"]+)"(?: rel="nofollow")? download/g)].map(
      ([, link]) => link ?? '',
    )
    expect(links.toSorted()).toEqual(
      [...fileIds, 'zip'].map((file) => `/api/shares/${id}/files/${file}`).toSorted(),
    )
    for (const link of links) expect((await visitor.send('GET', link)).status).toBe(200)
    // Coming back, and pressing again, is the same visit.
    expect((await sendForm(visitor, id)).headers.location).toBe(`/share/${id}`)
    expect(plainOf(await pageOf(visitor, id))).toContain('secret-plans.txt')
    expect(await viewsOf(id)).toBe(1)

    const late = createClient(floe.url)
    expect((await sendForm(late, id)).headers.location).toBe(`/share/${id}`)
    expect(late.cookies.names()).toEqual([])
    expect(plainOf(await pageOf(late, id))).toContain('Visitor limit exceeded')
    expect(await viewsOf(id)).toBe(1)
  })

  test('lets exactly three of thirty simultaneous presses in', async () => {
    const { id } = await publish({ security: { maxViews: 3 } })
    const visitors = Array.from({ length: 30 }, () => createClient(floe.url))
    await Promise.all(visitors.map((visitor) => sendForm(visitor, id)))
    expect(visitors.filter(({ cookies }) => cookies.names().length > 0)).toHaveLength(3)
    expect(await viewsOf(id)).toBe(3)
  })

  test('a password opens the share and a wrong one says so, costs no view and is limited', async () => {
    const { id } = await publish({ security: { password } })
    const visitor = createClient(floe.url)
    const asked = plainOf(await pageOf(visitor, id))
    expect(asked).toContain('type="password"')
    expect(asked).not.toContain('Moon base')
    const wrong = await sendForm(visitor, id, { password: 'guess' })
    expect(wrong.headers.location).toBe(`/share/${id}?refused=wrong_password`)
    expect(plainOf(await pageOf(visitor, id, '?refused=wrong_password'))).toContain(
      'Invalid password',
    )
    expect(await viewsOf(id)).toBe(0)
    await sendForm(visitor, id, { password })
    expect(plainOf(await pageOf(visitor, id))).toContain('secret-plans.txt')
    expect(await viewsOf(id)).toBe(1)

    const guesser = createClient(floe.url)
    const places = new Set<string | undefined>()
    for (let attempt = 0; attempt < 25; attempt += 1) {
      places.add((await sendForm(guesser, id, { password: `guess ${attempt}` })).headers.location)
    }
    expect([...places]).toEqual([
      `/share/${id}?refused=wrong_password`,
      `/share/${id}?refused=too_many_requests`,
    ])
    // One limit, whichever way is taken.
    expect(codeOf(await openShare(guesser, id, password))).toBe('too_many_requests')
  })

  test('another site cannot press for its visitors', async () => {
    const { id } = await publish()
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
    ]) {
      const visitor = createClient(floe.url)
      const response = await sendForm(visitor, id, {}, headers)
      expect([response.status, codeOf(response)]).toEqual([
        errorCatalogue.cross_site_request.status,
        'cross_site_request',
      ])
      expect(visitor.cookies.names()).toEqual([])
    }
    expect(await viewsOf(id)).toBe(0)
  })

  test('many files are listed a part at first, and all when asked', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 203 }, (_, index) => [`file ${1_000 + index}.txt`, 'x']),
    )
    const { id } = await publishShare(owner, files)
    const visitor = createClient(floe.url)
    await sendForm(visitor, id)
    const rowsOf = (plain: string) => plain.match(/<li>/g)?.length
    const first = plainOf(await pageOf(visitor, id))
    expect([rowsOf(first), first.includes('Show 3 more files')]).toEqual([200, true])
    const all = plainOf(await pageOf(visitor, id, '?show=all'))
    expect([rowsOf(all), all.includes('more files')]).toEqual([203, false])
  })

  test('home is described where its link is shown', async () => {
    const preview = previewOf(await createClient(floe.url).send('GET', '/'))
    expect(preview['og:title']).toBe(preview['og:site_name'])
    expect(preview['og:description']).toMatch(/^Upload, get a link/)
  })
})
