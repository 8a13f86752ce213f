import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { visit } from 'unist-util-visit'
import { root } from './repository.ts'
import type { Element, Tree } from './tree.ts'

const schemes = ['light', 'dark'] as const
const NARROW = '(width < 600px)'

/**
 * A screenshot called `…-light.png` stands for two: the page shows that of its colour scheme, and a
 * narrow one that of a phone. The others are not even loaded.
 */
export function pairScreenshots(tree: Tree): void {
  visit(tree, 'element', (image, index, parent) => {
    if (image.tagName !== 'img' || index === undefined || !parent) return
    image.properties['loading'] = 'lazy'
    const src = String(image.properties['src'])
    const name = /screenshots\/.*-light\.png$/.exec(src)?.[0]
    if (name === undefined) return
    const folder = src.slice(0, -name.length)
    const pictures = schemes.map((scheme) =>
      show(image, folder, name.replace(/light\.png$/, `${scheme}.png`)),
    )
    parent.children.splice(index, 1, ...pictures)
    return index + pictures.length
  })
}

function show(image: Element, folder: string, name: string): Element {
  const scheme = name.endsWith('-dark.png') ? 'dark' : 'light'
  const phone = phoneOf(name)
  const properties = { ...image.properties, ...readPngSize(name), src: `${folder}${name}` }
  const img: Element = { ...image, properties }
  const source: Element = {
    type: 'element',
    tagName: 'source',
    properties: { media: NARROW, srcSet: `${folder}${phone}`, ...readPngSize(phone) },
    children: [],
  }
  return {
    type: 'element',
    tagName: 'picture',
    properties: { className: ['shot', `only-${scheme}`] },
    children: [source, img],
  }
}

/** The files that a page needs where its Markdown has this picture. */
export function variantsOf(source: string): string[] {
  if (!source.endsWith('-light.png')) return [source]
  const names = schemes.map((scheme) => source.replace(/light\.png$/, `${scheme}.png`))
  return [...names, ...names.map(phoneOf)]
}

function phoneOf(name: string): string {
  return name.replace(/-desktop-(\w+\.png)$/, '-phone-$1')
}

/** From the first bytes of the file, so that the page does not jump when the picture comes. */
function readPngSize(name: string): { width: number; height: number } {
  const file = openSync(join(root, 'docs', name), 'r')
  try {
    const head = Buffer.alloc(24)
    readSync(file, head, 0, 24, 0)
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  } finally {
    closeSync(file)
  }
}
