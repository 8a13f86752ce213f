import { randomUUID } from 'node:crypto'
import { type AuditEntry, jobs, type RecordedAuditEvent } from '@floe/contracts'
import { recordAuditEvents } from '@floe/db'
import { explain } from '@floe/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  ADMIN_TOKEN,
  type AdminServer,
  startAdminServer,
  USER_TOKEN,
} from '../testing/admin-server.ts'

let server: AdminServer
beforeEach(async () => {
  server = await startAdminServer()
})
afterEach(() => server.close())

const dayMs = 24 * 60 * 60 * 1000

function makeAuditEvent(changes: Partial<RecordedAuditEvent> = {}): RecordedAuditEvent {
  return {
    id: randomUUID(),
    at: new Date().toISOString(),
    action: 'share.deleted',
    actor: { id: randomUUID(), name: 'alice', address: '192.0.2.7', userAgent: 'Browser' },
    target: { type: 'share', id: 'holidays', name: 'Our holidays' },
    details: {},
    ...changes,
  }
}

async function add(...auditEvents: RecordedAuditEvent[]): Promise<void> {
  for (const auditEvent of auditEvents) await server.runJob(jobs.recordAuditEvent, auditEvent)
}

async function list(query = ''): Promise<AuditEntry[]> {
  const response = await server.send('GET', `/api/admin/audit${query}`, { token: ADMIN_TOKEN })
  expect(response.status, response.text).toBe(200)
  return response.body as AuditEntry[]
}

const exportCsv = (query = '') =>
  server.send('GET', `/api/admin/audit/export${query}`, { token: ADMIN_TOKEN })

test('tells who did what to what, from where and when, the latest first', async () => {
  const earlier = makeAuditEvent({ at: '2026-01-01T10:00:00.001Z', details: { fields: 'name' } })
  const later = makeAuditEvent({
    at: '2026-01-01T10:00:00.002Z',
    action: 'audit.exported',
    target: null,
  })
  await add(earlier, later)
  expect(await list()).toEqual([later, earlier])
})

test('tells an IPv4 address as such that was recorded within IPv6', async () => {
  const actor = { id: null, name: null, address: '::ffff:192.0.2.7', userAgent: '' }
  await add(makeAuditEvent({ actor }))
  expect((await list())[0]?.actor.address).toBe('192.0.2.7')
  expect((await exportCsv()).text).not.toContain('::ffff:')
})

test('records an audit event once, however often its job runs', async () => {
  const auditEvent = makeAuditEvent()
  await add(auditEvent, auditEvent, { ...auditEvent, action: 'user.deleted' })
  expect(await list()).toEqual([auditEvent])
})

test('an audit event is recorded with what it is about, or not at all', async () => {
  const { knex } = server.database
  const { id: _id, at: _at, ...auditEvent } = makeAuditEvent()
  const failing = knex.transaction(async (trx) => {
    await recordAuditEvents(trx, [auditEvent])
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  await knex.transaction((trx) =>
    recordAuditEvents(trx, [auditEvent, { ...auditEvent, action: 'user.created' }]),
  )
  await server.deliverAuditEvents()
  const entries = await list()
  expect(entries.map(({ action }) => action).sort()).toEqual(['share.deleted', 'user.created'])
  expect(Math.abs(Date.parse(entries[0]?.at ?? '') - Date.now())).toBeLessThan(60_000)
})

test('cuts what a client sends about itself to a bearable length', async () => {
  const { id: _id, at: _at, ...auditEvent } = makeAuditEvent()
  const actor = { ...auditEvent.actor, userAgent: 'x'.repeat(10_000) }
  await recordAuditEvents(server.database.knex, [{ ...auditEvent, actor }])
  await server.deliverAuditEvents()
  expect((await list())[0]?.actor.userAgent).toHaveLength(500)
})

test('finds entries by actor, action, target and time, a page at a time', async () => {
  const auditEvents = [
    makeAuditEvent({ at: '2026-01-01T00:00:00.000Z' }),
    makeAuditEvent({ at: '2026-01-02T00:00:00.000Z', action: 'share.edited' }),
    makeAuditEvent({
      at: '2026-01-03T00:00:00.000Z',
      actor: { id: null, name: null, address: '192.0.2.9', userAgent: '' },
      target: { type: 'setting', id: 'share.maxSize', name: null },
    }),
  ]
  await add(...auditEvents)
  const found = async (query: string) => (await list(query)).map(({ at }) => at.slice(8, 10))
  expect(await found('?actor=LIC')).toEqual(['02', '01'])
  expect(await found('?action=share.edited')).toEqual(['02'])
  expect(await found('?target=holi')).toEqual(['02', '01'])
  expect(await found('?target=maxsize')).toEqual(['03'])
  expect(await found('?target=%25')).toEqual([])
  expect(await found('?from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z')).toEqual(['02'])
  expect(await found('?limit=1&offset=1')).toEqual(['02'])
  const page = await server.send('GET', '/api/admin/audit?limit=1', { token: ADMIN_TOKEN })
  expect(page.headers.get('x-total-count')).toBe('3')
})

test.each(['limit=0', 'limit=201', 'offset=-1', 'action=anything', 'from=yesterday', 'to=2026'])(
  'refuses ?%s',
  async (query) => {
    const response = await server.send('GET', `/api/admin/audit?${query}`, { token: ADMIN_TOKEN })
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  },
)

test.each(['/api/admin/audit', '/api/admin/audit/export'])(
  '%s is for admins only',
  async (path) => {
    for (const token of [USER_TOKEN, 'nobody']) {
      const response = await server.send('GET', path, { token })
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect((await server.send('GET', path)).status).toBe(403)
  },
)

test('exports what matches, whole, across its own pages, and records that', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    id: randomUUID(),
    // Many of one time: where one page ends, the next goes on among equals.
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(index / 800))),
    action: 'share.deleted',
    address: '192.0.2.7',
    user_agent: `row ${index}`,
    details: '{}',
  }))
  await server.database.knex.batchInsert('audit_entries', rows)
  await add(makeAuditEvent({ action: 'user.created' }))
  const { status, headers, text } = await exportCsv('?action=share.deleted')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-[\d-]+\.csv"$/)
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    '"time","action","actor","actor id","target type","target","target id","address","user agent","details"',
  )
  expect(new Set(lines.slice(1).map((line) => /row \d+/.exec(line)?.[0])).size).toBe(2_500)
  expect(lines).toHaveLength(2_501)
  await server.deliverAuditEvents()
  expect((await list('?action=audit.exported'))[0]?.actor.name).toBe(ADMIN_TOKEN)
})

test('no spreadsheet takes an exported name for a formula', async () => {
  const name = '=HYPERLINK("http://evil.example";"x")'
  const actor = { id: null, name: '@SUM(1)', address: '192.0.2.7', userAgent: 'a;=cmd|x' }
  await add(makeAuditEvent({ actor, target: { type: 'share', id: '-1', name } }))
  const { text } = await exportCsv()
  expect(text).toContain(`"'@SUM(1)"`)
  expect(text).toContain(`"'=HYPERLINK(`)
  expect(text).toContain(`"'-1"`)
  expect(text).toContain(`"a;'=cmd|x"`)
})

test('forgets entries after the configured days, and none when that is 0', async () => {
  const old = makeAuditEvent({ at: new Date(Date.now() - 31 * dayMs).toISOString() })
  const recent = makeAuditEvent({ at: new Date(Date.now() - 29 * dayMs).toISOString() })
  await add(old, recent)
  const keep = async (days: number) => {
    const body = [{ key: 'general.auditRetention', value: days }]
    const response = await server.send('PATCH', '/api/configs/admin', { token: ADMIN_TOKEN, body })
    expect(response.status).toBe(200)
    await server.runJob(jobs.purgeAudit, {})
    return (await list('?target=holidays')).map(({ id }) => id)
  }
  expect(await keep(0)).toEqual([recent.id, old.id])
  expect(await keep(30)).toEqual([recent.id])
})

test('a saved setting is recorded by its key, and never its value', async () => {
  const body = [
    { key: 'smtp.password', value: 'hunter2-secret' },
    { key: 'general.appName', value: 'Renamed' },
  ]
  await server.send('PATCH', '/api/configs/admin', { token: ADMIN_TOKEN, body })
  const refused = [{ key: 'share.maxSize', value: 'much' }]
  await server.send('PATCH', '/api/configs/admin', { token: ADMIN_TOKEN, body: refused })
  const stored = await server.database.knex('outbox').select('payload')
  expect(JSON.stringify(stored)).not.toMatch(/hunter2|Renamed/)
  await server.deliverAuditEvents()
  const entries = await list('?action=setting.changed')
  const keys = entries.map(({ target }) => target?.id)
  expect(keys.sort()).toEqual(['general.appName', 'smtp.password'])
  expect(entries[0]?.actor).toMatchObject({ name: ADMIN_TOKEN, address: '127.0.0.1' })
})

test('the log is read and searched by its indexes', async () => {
  const { knex } = server.database
  await knex.raw(
    `insert into audit_entries
       (id, at, action, actor_name, address, user_agent, target_type, target_id, target_name, details)
     select gen_random_uuid(), now() - n * interval '1 minute', 'sign_in.succeeded', 'user' || n,
       '192.0.2.1', 'Browser', 'user', 'id' || n, 'user' || n, '{}'
     from generate_series(1, 30000) n`,
  )
  await knex.raw('analyze audit_entries')
  const [page] = await explain(server.database, async () => {
    await server.send('GET', '/api/admin/audit', { token: ADMIN_TOKEN })
  })
  expect(page).toContain('audit_entries_at_id_index')
  const [search] = await explain(server.database, async () => {
    await server.send('GET', '/api/admin/audit?actor=user12345', { token: ADMIN_TOKEN })
  })
  expect(search).toContain('audit_entries_actor_search')
})
