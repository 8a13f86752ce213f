import { describe, expect, it } from 'vitest'
import { readShared } from './read-shared.ts'

function form(fields: [name: string, value: string | File][]): FormData {
  const data = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value)
  }
  return data
}

describe('what another app hands over', () => {
  it('is files in their order', () => {
    const files = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]
    const shared = readShared(form(files.map((file) => ['files', file])))
    expect(shared.files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
    expect(shared.text).toBe('')
  })

  it('is a text of all that was said, each once', () => {
    const fields: [string, string][] = [
      ['title', 'Floe'],
      ['text', 'https://floe.example.org'],
      ['url', 'https://floe.example.org'],
    ]
    expect(readShared(form(fields)).text).toBe('Floe\nhttps://floe.example.org')
  })

  it('is nothing where a form names no file', () => {
    const empty = form([
      ['files', new File([], '')],
      ['files', 'not a file'],
      ['text', ' '],
    ])
    expect(readShared(empty)).toEqual({ files: [], text: '' })
  })
})
