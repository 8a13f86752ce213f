import type { APIRequestContext, Page } from 'playwright-core'
import { join as joinFloe } from '../harness/people.ts'
import { makeReverseShare } from '../harness/reverse-shares.ts'
import { makeShare } from '../harness/shares.ts'
import { hold, refuse, type Tour } from './tour.ts'

const files = { 'notes.txt': 'Notes', 'Songs/kyrie.txt': 'Kyrie' }

/** The shares of an account: their list, how often they were opened, their edit. */
export async function tourOwnShares(tour: Tour): Promise<void> {
  const { journey, judge, button, heading } = tour
  journey.problems.expectRefusals(
    { path: /^\/api\/shares$/, status: 500 },
    { path: /^\/api\/shares\/absent/, status: 404 },
    { path: /^\/api\/shares\/absent/, status: 403 },
  )
  const { page, context, leave } = await tour.visit()
  await joinFloe({ context })
  const release = await hold(page, /\/api\/shares$/)
  await page.goto('/account/shares')
  await page.locator('main [aria-hidden="true"]').first().waitFor()
  await judge(page, 'my shares', 'on its way')
  release()
  await heading(page, 'myShares.empty.title').waitFor()
  await judge(page, 'no shares')
  const { request } = context
  const id = `choir-${tour.language}`
  await makeShare(request, { id, name: 'Choir', description: 'For you', password: 'secret', files })
  await makeShare(request, { id: `${id}-2`, maxViews: 5, files })

  await tourShareList(tour, page)
  await tourActivity(tour, page, { unopened: id, opened: `${id}-2` })
  await tourEdit(tour, page, { id, request })

  await refuse(page, /\/api\/shares$/, { status: 500 })
  await page.goto('/account/shares')
  await button(page, 'common.tryAgain').waitFor()
  await judge(page, 'my shares the server fails at')
  await leave()
}

async function tourShareList(tour: Tour, page: Page): Promise<void> {
  const { judge, button, dialog, text, say } = tour
  await page.goto('/account/shares')
  await button(page, 'myShares.actions.info', { name: 'Choir' }).waitFor()
  await judge(page, 'my shares')
  await button(page, 'myShares.actions.info', { name: 'Choir' }).click()
  await text(dialog(page, 'myShares.info.title'), 'share.file.size')
    .waitFor()
    .catch(() => undefined)
  await judge(page, 'info about a share')
  await page.keyboard.press('Escape')
  await button(page, 'myShares.actions.link', { name: 'Choir' }).click()
  await page.getByRole('img', { name: say('share.qrCode') }).waitFor()
  await judge(page, 'link to a share')
  await page.keyboard.press('Escape')
  await button(page, 'myShares.actions.delete', { name: 'Choir' }).click()
  await dialog(page, 'myShares.deleteTitle', { name: 'Choir' }).waitFor()
  await judge(page, 'question before a share is deleted')
  await page.keyboard.press('Escape')
}

/** How often shares were opened: one that nobody opened, and one that is opened here. */
async function tourActivity(
  tour: Tour,
  page: Page,
  { unopened, opened }: { unopened: string; opened: string },
): Promise<void> {
  const { judge, button, heading, say } = tour
  await page.goto(`/share/${unopened}/activity`)
  await heading(page, 'activity.empty.title').waitFor()
  await judge(page, 'activity of a share nobody opened')
  const visitor = await tour.visit()
  await visitor.page.goto(`/share/${opened}`)
  const download = visitor.page.waitForEvent('download')
  await tour.link(visitor.page, 'share.file.download', { name: 'notes.txt' }).click()
  await (await download).path()
  await visitor.leave()
  await page.goto(`/share/${opened}/activity`)
  await heading(page, 'activity.files.title').waitFor()
  await judge(page, 'activity of a share')
  await button(page, 'activity.files.show', { name: 'notes.txt' }).click()
  await heading(page, 'activity.chart.file', { name: 'notes.txt' }).waitFor()
  await judge(page, 'activity of a file')
  await button(page, 'activity.chart.everything').click()
  await button(page, 'activity.chart.asTable').click()
  await page.getByRole('columnheader', { name: say('activity.chart.when') }).waitFor()
  await judge(page, 'activity in numbers')
}

async function tourEdit(
  tour: Tour,
  page: Page,
  { id, request }: { id: string; request: APIRequestContext },
): Promise<void> {
  const { judge, button, heading, field, text } = tour
  await page.goto(`/share/${id}/edit`)
  await button(page, 'edit.deleteFile', { name: 'notes.txt' }).click()
  await field(page, 'edit.changeExpiry').check()
  await field(page, 'upload.drop.input').setInputFiles({
    name: 'route.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Route'),
  })
  await text(page, 'edit.new').waitFor()
  await button(page, 'upload.text.edit', { name: 'Songs/kyrie.txt' }).click()
  await field(page, 'upload.text.text').fill('Kyrie eleison')
  await button(page, 'upload.completed.done').click()
  await text(page, 'edit.edited').waitFor()
  await judge(page, 'edit of a share')
  await request.delete(`/api/shares/${id}/complete`)
  await page.goto(`/share/${id}/edit`)
  await text(page, 'edit.unpublished.title').waitFor()
  await judge(page, 'edit that was interrupted')
  await page.goto('/share/absent/edit')
  await heading(page, 'share.deadEnd.notFound.title').waitFor()
  await judge(page, 'edit of an absent share')
}

/** Links to receive files, and what came through them. */
export async function tourReverseShares(tour: Tour): Promise<void> {
  const { judge, button, heading, dialog, field, text } = tour
  const { page, context, leave } = await tour.visit()
  await joinFloe({ context })
  await page.goto('/account/reverseShares')
  await heading(page, 'reverseShares.empty.title').waitFor()
  await judge(page, 'no reverse shares')
  await page.getByRole('main').getByRole('button').first().click()
  const create = dialog(page, 'reverseShares.create.title')
  await button(create, 'reverseShares.fields.more').click()
  await field(create, 'reverseShares.fields.maxSize').fill('')
  await field(create, 'reverseShares.fields.link').fill('not a link!')
  await button(create, 'reverseShares.create.submit').click()
  await text(create, 'validation.shareId').waitFor()
  await judge(page, 'dialog for a reverse share, with errors')
  await page.keyboard.press('Escape')

  const token = `letters-${tour.language}`
  await makeReverseShare(context.request, { token, name: 'Letters', password: 'secret', uses: 3 })
  await makeReverseShare(context.request, { token: `${token}-2`, uses: 2 })
  const sender = await tour.visit()
  await sender.page.goto(`/upload/${token}-2`)
  await field(sender.page, 'upload.drop.input').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Notes'),
  })
  await button(sender.page, 'send.submit').click()
  await dialog(sender.page, 'send.done.title').waitFor()
  await sender.leave()

  await page.goto('/account/reverseShares')
  await button(page, 'reverseShares.received.count', { count: 1 }).click()
  await page.getByRole('list').getByRole('listitem').first().waitFor()
  await judge(page, 'reverse shares')
  await page.getByRole('listitem').getByRole('button').last().click()
  await page.getByRole('dialog').waitFor()
  await judge(page, 'question before a received share is deleted')
  await page.keyboard.press('Escape')
  for (const [action, title] of [
    ['link', 'reverseShares.link.title'],
    ['edit', 'reverseShares.edit.title'],
    ['delete', 'reverseShares.delete.title'],
  ]) {
    await button(page, `myShares.actions.${action}`, { name: 'Letters' }).click()
    await dialog(page, String(title), { name: 'Letters' }).waitFor()
    await judge(page, `dialog to ${action} a reverse share`)
    if (action !== 'delete') await page.keyboard.press('Escape')
  }
  await button(page.getByRole('dialog'), 'common.delete').click()
  await text(page, 'reverseShares.delete.done').waitFor()
  await judge(page, 'notice of a deleted reverse share')
  await tourSealedReverseShare(tour, page)
  await leave()
}

/** A link that takes encrypted files, and who may not send through it. */
async function tourSealedReverseShare(tour: Tour, page: Page): Promise<void> {
  const { judge, button, heading, dialog, field, text, say } = tour
  await page.goto('/account/reverseShares?create')
  const create = dialog(page, 'reverseShares.create.title')
  await create.getByRole('switch', { name: say('reverseShares.sealed.label') }).check()
  const passphrase = field(create, 'reverseShares.sealed.newPassphrase')
  await passphrase.fill('short')
  await button(create, 'reverseShares.create.submit').click()
  await text(create, 'validation.atLeast', { length: 12 }).waitFor()
  await judge(page, 'dialog for a sealed reverse share, with errors')
  await passphrase.fill('four words of mine')
  await button(create, 'reverseShares.create.submit').click()
  const link = field(page, 'reverseShares.link.label')
  await link.waitFor()
  await judge(page, 'link and recovery code of a sealed reverse share')

  const { pathname, hash } = new URL(await link.inputValue())
  const sender = await tour.visit()
  await sender.page.goto(pathname + hash)
  await text(sender.page, 'send.limits.encrypted').waitFor()
  await judge(sender.page, 'page to send encrypted files at')
  await sender.page.goto('about:blank')
  await sender.page.goto(pathname)
  await heading(sender.page, 'send.incomplete.title').waitFor()
  await judge(sender.page, 'link that was cut')
  await sender.page.goto('about:blank')
  await sender.page.goto(`${pathname}#r=${'A'.repeat(43)}`)
  await heading(sender.page, 'send.swapped.title').waitFor()
  await judge(sender.page, 'link to another receiver')
  await sender.leave()

  await page.goto(`/account/reverseShares?link=${pathname.split('/').at(-1)}`)
  await dialog(page, 'reverseShares.sealed.linkTitle').waitFor()
  await judge(page, 'question before a sealed link is shown')
}
