import type { FailedJobView, Overview } from '@floe/contracts'
import { startSmtpCatcher } from '@floe/testing'
import { beforeAll, expect, test, vi } from 'vitest'
import { newAccount, signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { requestPasswordReset, sendMailsTo, sendNoMails } from './world/mail.ts'
import { codeOf, publishShare } from './world/shares.ts'

onOneArrangement('embedded', 'overview', (floe) => {
  let admin: Client
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
  })

  async function read(): Promise<Overview> {
    const response = await admin.send('GET', '/api/admin/overview')
    expect(response.status, response.text).toBe(200)
    return response.body as Overview
  }

  test('tells storage, shares and users as they are now, and the days that were noted', async () => {
    const before = await read()
    // Much more than what files before have deleted, which goes by job and perhaps just now.
    await publishShare(await signUp(floe), { 'a.txt': 'x'.repeat(1_000_000) })
    const after = await read()
    const grown = (part: keyof Overview['now']) => (after.now[part] ?? 0) - (before.now[part] ?? 0)
    expect(grown('storageBytes')).toBeGreaterThan(900_000)
    expect(grown('shares')).toBeGreaterThanOrEqual(1)
    expect(grown('users')).toBeGreaterThanOrEqual(1)
    await vi.waitFor(async () => expect((await read()).days).not.toEqual([]), 15_000)
    expect((await read()).days.at(-1)?.day).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(after.audit.length).toBeGreaterThan(0)
  })

  test('knows the jobs of the queue by their names', async () => {
    await vi.waitFor(async () => {
      const names = (await read()).jobs?.counts.map(({ name }) => name)
      expect(names).toContain('expire-shares')
      expect(names).toContain('purge-audit')
    }, 15_000)
  })

  test('a job that failed for good is shown with its reason, and runs again on request', async () => {
    const catcher = await startSmtpCatcher()
    try {
      await sendMailsTo(catcher, admin)
      const account = newAccount()
      await signUp(floe, account)
      const known = new Set((await read()).jobs?.failed.map(({ id }) => id))
      catcher.refuse('for good')
      await requestPasswordReset(floe.url, account.email)
      const failed = await vi.waitFor(async () => {
        const job = (await read()).jobs?.failed.find(({ id }) => !known.has(id))
        expect(job).toBeDefined()
        return job as FailedJobView
      }, 15_000)
      expect(failed.name).toBe('send-password-reset')
      expect(failed.reason).not.toBe('')
      expect(JSON.stringify(failed)).not.toContain('payload')

      catcher.refuse(null)
      const path = `/api/admin/jobs/${encodeURIComponent(failed.id)}/retry`
      expect((await admin.send('POST', path)).status).toBe(204)
      await catcher.waitForMessages(1, { to: account.email })
      await vi.waitFor(async () => {
        const response = await admin.send('GET', '/api/admin/audit?action=job.retried&limit=1')
        expect(response.body).toMatchObject([{ target: { id: failed.id, name: failed.name } }])
      }, 5_000)
      const again = await admin.send('POST', path)
      expect(['job_not_failed', 'job_not_found']).toContain(codeOf(again))
    } finally {
      await sendNoMails(admin)
      await catcher.stop()
    }
  })

  test('is for administrators only', async () => {
    for (const client of [await signUp(floe), createClient(floe.url)]) {
      for (const response of [
        await client.send('GET', '/api/admin/overview'),
        await client.send('POST', '/api/admin/jobs/1/retry'),
      ]) {
        expect(response.status).toBe(403)
        expect(codeOf(response)).toBe('forbidden')
      }
    }
    expect(codeOf(await admin.send('POST', '/api/admin/jobs/no-such-job/retry'))).toBe(
      'job_not_found',
    )
  })
})
