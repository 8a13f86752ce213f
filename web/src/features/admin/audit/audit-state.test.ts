import { describe, expect, it } from 'vitest'
import { readAuditState, toAuditSearch, toParams } from './audit-state.ts'

const nothing = { actor: '', action: '', target: '', from: '', to: '', page: 1 } as const

describe('the state of the audit log in the address', () => {
  it('is read as it was written', () => {
    const state = { ...nothing, actor: 'alice', action: 'share.deleted', page: 3 } as const
    expect(readAuditState(new URLSearchParams(toParams(state)))).toEqual(state)
    expect(toParams(nothing)).toEqual({})
  })

  it('drops what makes no sense', () => {
    const params = new URLSearchParams('action=anything&from=yesterday&to=2026-1-1&page=-2')
    expect(readAuditState(params)).toEqual(nothing)
  })

  it('asks for whole days of the reader, the last one included', () => {
    const { from, to } = toAuditSearch({ ...nothing, from: '2026-05-01', to: '2026-05-01' })
    expect(from).toBe(new Date(2026, 4, 1).toISOString())
    expect(to).toBe(new Date(2026, 4, 2).toISOString())
    expect(toAuditSearch({ ...nothing, actor: '  ' })).toEqual({})
  })
})
