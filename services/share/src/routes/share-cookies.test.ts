import { describe, expect, it } from 'vitest'
import { listSurplus } from './share-cookies.ts'

const tokenOf = (issuedAt: number) =>
  `e30.${Buffer.from(JSON.stringify({ iat: issuedAt })).toString('base64url')}.x`

describe('listSurplus', () => {
  const nine = new Map(
    Array.from({ length: 9 }, (_, n) => [`share_s${n}_token`, tokenOf(100 + n)] as const),
  )

  it('leaves nine others beside the new one', () => {
    expect(listSurplus(nine, 'share_new_token')).toEqual([])
  })

  it('names the oldest first; what cannot be read is oldest', () => {
    const many = new Map([...nine, ['share_old_token', tokenOf(1)], ['share_odd_token', 'junk']])
    expect(listSurplus(many, 'share_new_token')).toEqual(['share_odd_token', 'share_old_token'])
  })

  it('never names owner cookies, foreign cookies or names a header cannot carry', () => {
    const others = [...Array(20).keys()].flatMap((n) => [
      [`share_s${n}_owner_token`, 'x'] as const,
      [`share_é${n}_token`, 'x'] as const,
      [`unrelated${n}`, 'x'] as const,
    ])
    expect(listSurplus(new Map(others), 'share_new_token')).toEqual([])
  })
})
