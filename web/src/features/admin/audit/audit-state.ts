import { type AuditAction, auditActions } from '@floe/contracts'

/** What narrows the log down, as it stands in the address; days are those of the reader. */
export interface AuditState {
  actor: string
  action: AuditAction | ''
  target: string
  /** `2026-05-01`, both inclusive. */
  from: string
  to: string
  /** From 1 on. */
  page: number
}

/** What the server is asked. */
export type AuditSearch = Partial<Record<'actor' | 'action' | 'target' | 'from' | 'to', string>>

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

export function readAuditState(params: URLSearchParams): AuditState {
  const text = (name: string) => (params.get(name) ?? '').slice(0, 100)
  const day = (name: string) => (dayPattern.test(text(name)) ? text(name) : '')
  const page = Number(params.get('page'))
  return {
    actor: text('actor'),
    action: auditActions.find((action) => action === params.get('action')) ?? '',
    target: text('target'),
    from: day('from'),
    to: day('to'),
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
  }
}

/** The other way round: only what says something. */
export function toParams({ page, ...filter }: AuditState): Record<string, string> {
  const said = Object.entries(filter).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(said), ...(page > 1 && { page: String(page) }) }
}

export function toAuditSearch({ actor, action, target, from, to }: AuditState): AuditSearch {
  const [begin, end] = [startOfDay(from, 0), startOfDay(to, 1)]
  return {
    ...(actor.trim() !== '' && { actor: actor.trim() }),
    ...(action !== '' && { action }),
    ...(target.trim() !== '' && { target: target.trim() }),
    ...(begin !== null && { from: begin }),
    ...(end !== null && { to: end }),
  }
}

/** Midnight here, so many days later. */
function startOfDay(day: string, daysLater: number): string | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const midnight = new Date(year, month - 1, date + daysLater)
  return day === '' || Number.isNaN(midnight.getTime()) ? null : midnight.toISOString()
}
