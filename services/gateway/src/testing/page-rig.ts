import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Identity,
  PAGE_FILES_FILE,
  PAGE_SHELL_FILE,
  PAGE_SHELL_FOLDER,
  type PageFiles,
  type PageView,
} from '@floe/contracts'
import { precompress } from '../page/precompress.ts'
import { type Rig, type RigOptions, startGateway } from './gateway-rig.ts'

/** Gateways of one file of tests. */
export interface PageRigs {
  /** One without a built application. */
  start(options?: RigOptions): Promise<Rig>
  /** One with an application of a handful of files. */
  startWithPages(options?: RigOptions): Promise<Rig>
  closeAll(): Promise<void>
}

/** Somebody who is signed in. */
export const identity: Identity = {
  userId: '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f11',
  sessionId: '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f12',
  username: 'ann',
  email: 'ann@example.com',
  isAdmin: false,
  hasPassword: true,
  totpVerified: true,
  emailStanding: 'assumed',
}

const pageFiles: PageFiles = {
  pages: {
    share: ['/assets/share.css', '/assets/share.js'],
    upload: ['/assets/upload.js', '/assets/form.js'],
  },
  notFound: ['/assets/not-found.js'],
  password: ['/assets/share.js', '/assets/form.js'],
  texts: {
    en: { frame: ['/assets/en.js'], rest: ['/assets/en-rest.js'] },
    de: { frame: ['/assets/de.js'], rest: ['/assets/de-rest.js'] },
  },
}

export function createPageRigs(): PageRigs {
  const closers: (() => Promise<void> | void)[] = []

  async function start(options: RigOptions = {}): Promise<Rig> {
    const rig = await startGateway(options)
    closers.push(rig.close)
    return rig
  }

  return {
    start,
    startWithPages: async (options) => {
      const directory = mkdtempSync(join(tmpdir(), 'floe-web-'))
      closers.push(() => rmSync(directory, { recursive: true }))
      await writePages(directory)
      return start({ webDirectory: directory, ...options })
    },
    closeAll: async () => {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}

/** Shows what it was given to draw. */
const shellSource = `
export const renderAccent = (color) => ':root{--accent:' + color + '}'
export async function renderShell(view) {
  const preview = view.share?.preview
  return {
    title: preview?.name ?? null,
    siteDescription: 'What the site is',
    shareSummary: preview ? preview.fileCount + ' files' : null,
    firstPaint: '<div id="view">' + encodeURIComponent(JSON.stringify(view)) + '</div>',
  }
}
`

/** A small example of a built page. */
async function writePages(directory: string): Promise<void> {
  mkdirSync(join(directory, 'assets'))
  mkdirSync(join(directory, 'img'))
  mkdirSync(join(directory, 'manifests'))
  writeFileSync(
    join(directory, 'index.html'),
    '<html lang="__FLOE_LANG__" dir="__FLOE_DIR__" data-mantine-color-scheme="__FLOE_COLOR_SCHEME__">' +
      '<title>__FLOE_TITLE__</title><link rel="icon" href="/favicon.ico?v=__FLOE_LOGO__">' +
      '<!--floe-meta--><!--floe-boot--><!--floe-files--><body><!--floe-styles--><!--floe-first-paint--></body></html>',
  )
  mkdirSync(join(directory, PAGE_SHELL_FOLDER))
  writeFileSync(join(directory, PAGE_SHELL_FILE), shellSource)
  writeFileSync(join(directory, PAGE_FILES_FILE), JSON.stringify(pageFiles))
  writeFileSync(
    join(directory, 'manifests/en.webmanifest'),
    JSON.stringify({
      name: 'x',
      short_name: 'x',
      icons: [{ src: '/img/logo.png', sizes: '9x9' }],
      shortcuts: [{ name: 'Upload', icons: [{ src: '/img/logo.png' }] }],
    }),
  )
  writeFileSync(join(directory, 'assets/app-abc123.js'), 'console.log("x");\n'.repeat(500))
  writeFileSync(join(directory, 'img/logo.png'), Buffer.from([0x89, 0x50]))
  await precompress(directory)
}

/** The data the page starts with. */
export function bootOf(text: string): Record<string, unknown> {
  const json = /<script id="floe-boot" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1]
  return JSON.parse(json ?? 'null') as Record<string, unknown>
}

/** What the document's first paint was drawn from. */
export function viewOf(text: string): PageView {
  const json = /<div id="view">([^<]*)<\/div>/.exec(text)?.[1] ?? ''
  return JSON.parse(decodeURIComponent(json)) as PageView
}
