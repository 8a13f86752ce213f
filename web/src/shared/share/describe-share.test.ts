import { describe, expect, it } from 'vitest'
import { createI18n } from '../i18n/i18n.ts'
import german from '../i18n/locales/de.json' with { type: 'json' }
import english from '../i18n/locales/en.json' with { type: 'json' }
import { describeShare, type KnownShare } from './describe-share.ts'

const { t } = await createI18n({ locale: 'en', catalogue: english })
const describeIt = (known: Partial<KnownShare>) =>
  describeShare({ name: null, sender: 'Alice', fileCount: 2, fileNames: null, ...known }, t)
const headingOf = (...fileNames: string[]) => describeIt({ fileNames }).heading

describe('the heading of a share', () => {
  it('is its name', () => {
    const known = describeIt({ name: 'Holiday', fileNames: ['a.txt'] })
    expect(known).toEqual({ heading: 'Holiday', sender: 'Alice' })
  })

  it('is the name of its only file, or of the folder that has all of them', () => {
    expect(headingOf('papers/bill.pdf')).toBe('bill.pdf')
    expect(headingOf('Photos/a.jpg', 'Photos/more/b.jpg')).toBe('Photos')
    expect(headingOf('a/Photos/a.jpg', 'a//Photos/b.jpg')).toBe('Photos')
    expect(headingOf('//')).toBe('//')
  })

  it('is how many files there are, and from whom', async () => {
    expect(headingOf('Photos/a.jpg', 'b.jpg')).toBe('2 files from Alice')
    expect(describeIt({ fileCount: 1 })).toEqual({ heading: '1 file from Alice', sender: null })
    expect(describeIt({ fileCount: 12, sender: null }).heading).toBe('12 files')
    const { t: inGerman } = await createI18n({ locale: 'de', catalogue: german })
    const known = { name: null, sender: 'Alice', fileCount: 12, fileNames: null }
    expect(describeShare(known, inGerman).heading).toBe('12 Dateien von Alice')
  })

  it('turns nothing around that stands beside it', () => {
    expect(headingOf('invoice\u202efdp.exe')).toBe('invoice\ufffdfdp.exe')
  })
})
