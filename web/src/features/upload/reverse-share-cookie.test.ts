import { describe, expect, it } from 'vitest'
import { dropReverseShareCookie, setReverseShareCookie } from './reverse-share-cookie.ts'

/** A document's cookies as far as names, values and their end go. */
function createJar() {
  const cookies = new Map<string, string>()
  const writes: string[] = []
  return {
    writes,
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      writes.push(text)
      const [pair = '', ...attributes] = text.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    },
  }
}

describe('the cookie of a reverse share', () => {
  it('holds for every path until the browser closes, and over TLS alone where there is TLS', () => {
    const jar = createJar()
    setReverseShareCookie(jar, 'photos', true)
    expect(jar.writes).toEqual(['reverse_share_token=photos; Path=/; SameSite=Lax; Secure'])
    expect(jar.cookie).toBe('reverse_share_token=photos')
  })

  it('goes when its page is left', () => {
    const jar = createJar()
    setReverseShareCookie(jar, 'photos', false)
    dropReverseShareCookie(jar, 'photos')
    expect(jar.cookie).toBe('')
  })

  it('stays while another tab sends through another link', () => {
    const jar = createJar()
    setReverseShareCookie(jar, 'photos', false)
    setReverseShareCookie(jar, 'papers', false)
    dropReverseShareCookie(jar, 'photos')
    expect(jar.cookie).toBe('reverse_share_token=papers')
  })
})
