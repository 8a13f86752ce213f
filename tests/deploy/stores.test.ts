import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentNames } from '@floe/config'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { listCommitted, read, readManifest, root } from '../architecture/repository.ts'
import { readCompose } from './compose-file.ts'
import { findStep, readDockerfile } from './dockerfile.ts'

const path = 'deploy/all-in-one.compose.yml'
const listing = (parse(read(path)) as { 'x-floe': Listing })['x-floe']
const service = readCompose(path).services['floe'] ?? expect.fail('no service')
const guide = read('docs/install/stores.md')

interface Listing {
  title: string
  tagline: string
  description: string
  category: string
  license: string
  image: string
  port: number
  path: string
  volumes: Record<string, string>
  environment: Record<string, string>
  icon: string
  'icon-png': string
  screenshots: string[]
  links: Record<string, string>
}

test('a listing has the texts, icons, screenshots and links that stores ask for, all in the repository', () => {
  for (const text of [listing.title, listing.tagline, listing.description, listing.category]) {
    expect(text).toMatch(/\w/)
  }
  expect(listing.tagline.length).toBeLessThan(60)
  const paths = [
    ...[listing.icon, listing['icon-png'], ...listing.screenshots],
    ...Object.values(listing.links),
  ]
  const committed = new Set(listCommitted())
  expect(paths.filter((one) => !committed.has(one))).toEqual([])
  expect((readManifest('package.json') as { license?: string }).license).toBe(listing.license)
})

test('the pictures of a listing are as large as stores ask for', () => {
  expect(read(listing.icon)).toMatch(/<svg\b/)
  const icon = sizeOf(listing['icon-png'])
  expect(icon.width).toBe(icon.height)
  expect(icon.width).toBeGreaterThanOrEqual(256)
  expect(listing.screenshots.length).toBeGreaterThanOrEqual(3)
  expect(listing.screenshots.map(sizeOf)).toEqual(
    listing.screenshots.map(() => ({ width: 1280, height: 800 })),
  )
})

test('a listing has the port, the volumes and the variables of the container', () => {
  const targets = (list: readonly unknown[] = []) =>
    list.map((one) => (typeof one === 'string' ? one.split(':').at(-1) : one))
  expect(targets(service.ports)).toEqual([String(listing.port)])
  const stages = readDockerfile(read('deploy/Dockerfile'))
  expect(findStep(stages, 'all-in-one', 'EXPOSE')?.text).toBe(String(listing.port))
  expect(targets(service.volumes)).toEqual(Object.keys(listing.volumes))
  expect(Object.keys(listing.environment)).toEqual(Object.keys(service.environment ?? {}))
  expect(Object.keys(listing.environment).filter((one) => !environmentNames.includes(one))).toEqual(
    [],
  )
})

test('the image has the name by which the guides build and install it', () => {
  expect(service.image.split(':')[0]).toBe(listing.image)
  for (const text of [guide, read('CONTRIBUTING.md')]) {
    expect(text).toContain(`<registry>/${listing.image}:`)
  }
})

test('the guide says of each field what stores take it for', () => {
  const rows = guide.match(/^\| `.*$/gm) ?? []
  const told = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  )
  const fields = Object.keys(listing).filter(
    (name) => !['license', 'image', 'x-floe'].includes(name),
  )
  expect(told.filter((name) => name !== 'x-floe').sort()).toEqual(fields.sort())
})

function sizeOf(picture: string): { width: number; height: number } {
  const { width, height } = PNG.sync.read(readFileSync(join(root, picture)))
  return { width, height }
}
