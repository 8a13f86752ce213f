import { join } from 'node:path'
import { createFileId, createShareKey, encodeKey, linkWithKey } from '@floe/encryption'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { craftEncrypted, sealFile, sealManifest } from '../acceptance/world/encrypted.ts'
import { publishShare } from '../acceptance/world/shares.ts'
import { enterPassword, installSender, pathOf, type Sender } from './harness/encrypted.ts'
import { download, hashFile, hashesOf, unzip, writeRandomFile, writeTree } from './harness/files.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
/** Ten segments, the last of which is not full. */
const SIZE_BYTES = 2_500_000
const NAMES = ['Reise/words.txt', 'Reise/tief/süß 世界.txt', 'Reise/large.bin']
let sender: Sender
/** Where the files were before they were sent. */
let folder: string
/** Of this site, with the key. */
let path: string

beforeAll(async () => {
  sender = await installSender(journey.floe)
  folder = sender.cli.folder
  await writeTree(folder, {
    'Reise/words.txt': 'meet me at nine',
    'Reise/tief/süß 世界.txt': 'deeper',
  })
  await writeRandomFile(join(folder, 'Reise/large.bin'), { sizeBytes: SIZE_BYTES, seed: 'e2e' })
  path = await sender.send('Reise')
})
afterAll(() => sender.cli.remove())

async function open(to = path): Promise<Page> {
  const { page } = await journey.visit()
  await page.goto(to)
  return page
}

const link = (page: Page, name: string) => page.getByRole('link', { name })

describe('an encrypted share, in the browser of who has its link', () => {
  test('shows its names, and each file is saved byte for byte, by the browser itself', async () => {
    const page = await open()
    await page.getByText('Decrypted in this browser').waitFor()
    await page.getByRole('heading', { name: 'Reise' }).waitFor()
    const saved = await download(page, link(page, 'Download large.bin'))
    expect(saved.name).toBe('large.bin')
    expect(saved.sha256).toBe(await hashFile(join(folder, 'Reise/large.bin')))
  })

  test('is saved whole as an archive, as are a folder and files that were chosen', async () => {
    const page = await open()
    const all = await download(page, link(page, 'Download all'))
    await unzip(all.path, join(journey.folder, 'all'))
    const plain = await hashesOf(folder, NAMES)
    expect(await hashesOf(join(journey.folder, 'all'), NAMES)).toEqual(plain)

    const deep = await download(page, link(page, 'Download folder tief'))
    expect(deep.name).toBe('tief.zip')
    await unzip(deep.path, join(journey.folder, 'folder'))
    expect(await hashesOf(join(journey.folder, 'folder'), ['süß 世界.txt'])).toEqual([plain[1]])

    await page.getByRole('button', { name: 'Select' }).click()
    for (const name of ['words.txt', 'large.bin']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).click()
    }
    const chosen = await download(page, page.getByRole('button', { name: 'Download 2 files' }))
    await unzip(chosen.path, join(journey.folder, 'chosen'))
    const hashes = await hashesOf(join(journey.folder, 'chosen'), ['words.txt', 'large.bin'])
    expect(hashes).toEqual([plain[0], plain[2]])
  })

  test('is downloaded once, its owner is told, by who saves the archive of all its files', async () => {
    const sent = await sender.send('Reise')
    const page = await open(sent)
    await unzip(
      (await download(page, link(page, 'Download all'))).path,
      join(journey.folder, 'counted'),
    )
    const shareId = new URL(sent, journey.floe.url).pathname.split('/').at(-1)
    const activity = await sender.owner.send('GET', `/api/shares/${shareId}/receipts`)
    expect(activity.body).toMatchObject({ downloads: { total: 1 } })
  })

  test('is looked at, and keeps its key and the names of its folders behind the #', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Preview words.txt' }).click()
    await page.getByText('meet me at nine').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open folder tief' }).click()
    await page.getByText('süß 世界.txt').first().waitFor()
    await page.reload()
    await page.getByText('süß 世界.txt').first().waitFor()
    const inside = pathOf(page.url())
    expect(page.url()).toMatch(/\/share\/[^/?#]+#k=[\w-]{43}&folder=Reise%2Ftief$/)
    await page.getByRole('button', { name: 'Reise', exact: true }).click()
    await page.getByText('words.txt').first().waitFor()
    expect(new URL(page.url()).hash).toBe(new URL(path, journey.floe.url).hash)
    const other = await open(inside)
    await other.getByText('süß 世界.txt').first().waitFor()
  })

  test('gives any part of a file and of its archive, which is how downloads are resumed', async () => {
    const page = await open()
    await page.getByText('Decrypted in this browser').waitFor()
    const file = await link(page, 'Download large.bin').getAttribute('href')
    const archive = await link(page, 'Download all').getAttribute('href')
    for (const address of [file, archive]) {
      const parts = await page.evaluate<PartsRead, string | null>(readInParts, address)
      expect(parts.status).toBe(206)
      expect(parts.isSame).toBe(true)
      expect(parts.contentRange).toBe(`bytes 1048000-1050000/${parts.sizeBytes}`)
    }
  })

  test('tells no server its key, by no request', async () => {
    const visitor = await journey.visit()
    const requests: string[] = []
    visitor.context.on('request', (request) => {
      requests.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '')
    })
    await visitor.page.goto(path)
    await download(visitor.page, link(visitor.page, 'Download all'))
    const [, key = ''] = path.split('#k=')
    expect(requests.length).toBeGreaterThan(10)
    // The fragment of the page's own address is Playwright's to tell, and never on the wire.
    const sent = requests.filter((text) => !text.endsWith(path))
    expect(sent.filter((text) => text.includes(key))).toEqual([])
  })

  test('that could not be read offers to try again, and opens then', async () => {
    journey.problems.expectRefusals({ path: /\/files\// })
    const { page } = await journey.visit()
    await page.route(/\/files\/[\w-]+\?download=false/, (route) => route.abort())
    await page.goto(path)
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute(/\/files\/[\w-]+\?download=false/)
    await again.click()
    await page.getByText('Decrypted in this browser').waitFor()
  })

  test('opens again in a browser that ended its worker', async () => {
    const visitor = await journey.visit()
    const { page } = visitor
    await page.goto(path)
    await page.getByText('Decrypted in this browser').waitFor()
    const devtools = await visitor.context.newCDPSession(page)
    await devtools.send('ServiceWorker.enable')
    await devtools.send('ServiceWorker.stopAllWorkers')
    const saved = await download(page, link(page, 'Download large.bin'))
    expect(saved.sha256).toBe(await hashFile(join(folder, 'Reise/large.bin')))
  })
})

describe('an encrypted share with a password', () => {
  const PASSWORD = 'pâte à choux, 3 eggs'
  let locked: string

  beforeAll(async () => {
    await writeTree(folder, { password: PASSWORD })
    locked = await sender.send('Reise', '--password-file', 'password')
  })

  async function expectSaved(page: Page): Promise<void> {
    const saved = await download(page, link(page, 'Download large.bin'))
    expect(saved.sha256).toBe(await hashFile(join(folder, 'Reise/large.bin')))
  }

  test('is opened by it and no other, also where its visitor was let in before', async () => {
    journey.problems.expectRefusals({ path: /\/token$/, status: 403 })
    const page = await open(locked)
    for (const visit of ['first', 'second']) {
      if (visit === 'second') await page.reload()
      await enterPassword(page, 'another')
      await page.getByText('Invalid password').waitFor()
      expect(await page.getByText('words.txt').count()).toBe(0)
      await enterPassword(page, PASSWORD)
      await page.getByText('Decrypted in this browser').waitFor()
      await expectSaved(page)
    }
  })

  test('tells no server its password, nor the key, also where the link was cut', async () => {
    const { context, page } = await journey.visit()
    const requests: string[] = []
    context.on('request', (request) => {
      requests.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '')
    })
    const cut = locked.replace('&p=1', '')
    await page.goto(cut)
    await enterPassword(page, PASSWORD)
    await page.getByText('Decrypted in this browser').waitFor()
    await expectSaved(page)
    const [, key = ''] = cut.split('#k=')
    const sent = requests.filter((text) => !text.endsWith(cut))
    expect(sent.some((text) => /^\{"password":"[\w-]{22}"\}$/.test(text))).toBe(true)
    expect(sent.filter((text) => text.includes(key) || text.includes(PASSWORD))).toEqual([])
  })

  test('without its key asks for no password, which would be told to the server', async () => {
    const { page } = await journey.visit()
    await page.goto(locked.replace(/#.*/, ''))
    await page.getByText('The link lacks its key.', { exact: false }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('a link that does not open its share', () => {
  test.each([
    ['without its key', () => path.replace(/#.*/, ''), /The link lacks its key/],
    [
      'with another key',
      () => path.replace(/#.*/, `#k=${encodeKey(createShareKey())}`),
      /The key in the link is not that of this share/,
    ],
  ])('%s says so, and shows nothing of it', async (_, address, message) => {
    const page = await open(address())
    await page.getByText(message).waitFor()
    expect(await page.getByText('words.txt').count()).toBe(0)
  })

  test('to files as they are, which its key has not locked, shows none of them', async () => {
    const { id } = await publishShare(sender.owner, { 'other.txt': 'not from the sender' })
    const page = await open(`/share/${id}#k=${encodeKey(createShareKey())}`)
    await page.getByText('Something of it is missing or was changed').waitFor()
    expect(await page.getByText('other.txt').count()).toBe(0)
  })

  test('to a share that is not whole says so; swapped and altered files are not saved', async () => {
    const key = createShareKey()
    const texts = { 'a.txt': Buffer.from('one'), 'b.txt': Buffer.from('two') }
    const [a, b] = [createFileId(), createFileId()]
    const manifest = await sealManifest(key, texts, [a, b])
    const [one, two] = [
      await sealFile(key, a, texts['a.txt']),
      await sealFile(key, b, texts['b.txt']),
    ]
    const craft = async (files: Record<string, Uint8Array>) =>
      pathOf(linkWithKey(journey.floe.url + (await craftEncrypted(sender.owner, files)), key))

    for (const broken of [
      { [a]: one, [b]: two },
      { [a]: one, manifest },
      { [a]: one, [b]: two, manifest: manifest.slice(0, -1) },
    ]) {
      const page = await open(await craft(broken))
      await page.getByText('Something of it is missing or was changed').waitFor()
    }

    const altered = Buffer.from(two)
    altered[altered.length - 1] = (altered[altered.length - 1] ?? 0) ^ 1
    const swapped = await open(await craft({ [a]: two, [b]: altered, manifest }))
    for (const name of ['a.txt', 'b.txt']) {
      const saving = swapped.waitForEvent('download')
      await link(swapped, `Download ${name}`).click()
      expect(await (await saving).failure()).not.toBeNull()
    }
  })
})

interface PartsRead {
  status: number
  isSame: boolean
  contentRange: string | null
  sizeBytes: number
}

/** Runs in the page: a part of what is at the address, beside the whole. */
async function readInParts(address: string | null): Promise<PartsRead> {
  const at = address ?? ''
  const whole = new Uint8Array(await (await fetch(at)).arrayBuffer())
  const response = await fetch(at, { headers: { Range: 'bytes=1048000-1050000' } })
  const part = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    isSame: part.length === 2001 && part.every((byte, index) => byte === whole[1_048_000 + index]),
    contentRange: response.headers.get('Content-Range'),
    sizeBytes: whole.length,
  }
}
