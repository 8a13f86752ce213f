import { previewableExtensions, previewKindOf } from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { safeContentType } from './content-type.ts'

const inlineTypes = {
  image: /^image\//,
  vector: /^text\/plain; charset=utf-8$/,
  video: /^video\//,
  audio: /^audio\//,
  pdf: /^application\/pdf$/,
  markdown: /^text\/plain; charset=utf-8$/,
  text: /^text\/plain; charset=utf-8$/,
}

describe('the type of a file', () => {
  test.each(previewableExtensions)('.%s is shown as what the page previews it as', (extension) => {
    const kind = previewKindOf(`a.${extension}`)
    const { inlineType } = safeContentType(`a.${extension}`)
    expect(inlineType).toMatch(kind === null ? /never/ : inlineTypes[kind])
  })

  test.each([
    'Makefile',
    'Dockerfile',
    'README',
    'LICENSE',
    'src/Makefile',
    '.gitignore',
    ' NOTICE ',
  ])('shows %j as text, which it is by custom', (name) => {
    expect(previewKindOf(name)).toBe('text')
    expect(safeContentType(name).inlineType).toBe('text/plain; charset=utf-8')
  })

  test.each(['photo', 'a.html.', 'a.html;.x', 'readme.exe', '', '.', 'a.toString', 'constructor'])(
    'shows %j as nothing',
    (name) => {
      expect(previewKindOf(name)).toBeNull()
      expect(safeContentType(name)).toMatchObject({
        type: 'application/octet-stream',
        inlineType: null,
      })
    },
  )

  test.each([
    'html',
    'HTM',
    'xhtml',
    'svg',
    'xml',
    'js',
    'mjs',
    'cjs',
    'css',
    'xslt',
    'wasm',
    'mht',
  ])('never lets .%s act, even where the other headers are lost', (extension) => {
    const { type, inlineType } = safeContentType(`a.${extension}`)
    expect(type).toBe('application/octet-stream')
    expect([null, 'text/plain; charset=utf-8']).toContain(inlineType)
  })
})
