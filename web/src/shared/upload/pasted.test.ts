import { describe, expect, it } from 'vitest'
import { readPaste, timeStamp } from './pasted.ts'

const now = new Date(2026, 0, 2, 3, 4, 5, 67)
const screenshot = new File(['x'], 'image.png', { type: 'image/png' })
const photo = new File(['x'], 'harbour.jpg', { type: 'image/jpeg' })

function namesOf(paste: ReturnType<typeof readPaste>): string[] {
  return paste && 'files' in paste ? paste.files.map(({ name }) => name) : []
}

describe('a paste', () => {
  it('names a screenshot after its time, so that the next one is another file', () => {
    const paste = readPaste({ files: [screenshot], text: '' }, now)
    expect(namesOf(paste)).toEqual(['pasted-image-2026-01-02-03-04-05-067.png'])
  })

  it('names screenshots apart that came together', () => {
    const paste = readPaste({ files: [screenshot, screenshot], text: '' }, now)
    expect(new Set(namesOf(paste)).size).toBe(2)
  })

  it('leaves the names of copied files alone', () => {
    const named = new File(['x'], 'image.png', { type: 'text/plain' })
    const paste = readPaste({ files: [photo, named], text: 'harbour.jpg' }, now)
    expect(namesOf(paste)).toEqual(['harbour.jpg', 'image.png'])
  })

  it('prefers a text to the picture a spreadsheet makes of it', () => {
    expect(readPaste({ files: [screenshot], text: 'a\tb' }, now)).toEqual({ text: 'a\tb' })
  })

  it('is nothing without a file and without a word', () => {
    expect(readPaste({ files: [], text: ' \n' }, now)).toBeNull()
  })
})

it('stamps a time without a character that file names cannot have', () => {
  expect(timeStamp(now)).toMatch(/^[\d-]+$/)
})
