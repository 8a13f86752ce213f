import { describe, expect, it } from 'vitest'
import { offersGallery, prefersGallery } from './folder-view.ts'

const size = { width: 480, height: 320 }
const file = (name: string, thumbnail: typeof size | null = null) => {
  return { name, thumbnail }
}
const pictures = (count: number) =>
  Array.from({ length: count }, (_, index) => file(`${index}.jpg`, size))
const texts = (count: number) => Array.from({ length: count }, (_, index) => file(`${index}.txt`))

describe('the gallery of a folder', () => {
  it('is offered from the first thumbnail on', () => {
    expect(offersGallery(texts(9))).toBe(false)
    expect(offersGallery([file('a.jpg')])).toBe(false)
    expect(offersGallery([...texts(9), ...pictures(1)])).toBe(true)
  })

  it('is what people see first where most files are pictures', () => {
    expect(prefersGallery(pictures(3))).toBe(false)
    expect(prefersGallery(pictures(4))).toBe(true)
    expect(prefersGallery([...pictures(6), ...texts(4)])).toBe(true)
    expect(prefersGallery([...pictures(5), ...texts(5)])).toBe(false)
  })

  it('counts pictures whose thumbnails are yet to be made', () => {
    expect(prefersGallery([...pictures(1), file('b.png'), file('c.gif')])).toBe(false)
    const made = pictures(1)
    expect(prefersGallery([...made, file('b.png'), file('c.gif'), file('d.webp')])).toBe(true)
    expect(prefersGallery(['a', 'b', 'c', 'd'].map((name) => file(`${name}.png`)))).toBe(false)
  })
})
