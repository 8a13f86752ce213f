// @vitest-environment jsdom
import { waitFor } from '@testing-library/react'
import type { OwnShare } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { type Page, renderPage } from '../../testing/render-page.tsx'
import { sampleFile, sampleOwnShare, sampleUser } from '../../testing/samples.ts'
import { Page as ShareEditPage } from './pages/ShareEditPage.tsx'

const PATCH = 'PATCH /api/shares/holiday'

const receipt = { id: 'holiday', name: 'Holiday', expiration: '', description: null }

async function edit(share: OwnShare = sampleOwnShare(), api: Handlers = {}, settings = {}) {
  const page = await renderPage(<ShareEditPage />, {
    at: '/share/holiday/edit',
    path: '/share/:id/edit',
    user: sampleUser(),
    settings,
    api: {
      'GET /api/shares/holiday/from-owner': ok(share),
      'GET /api/shares': ok([share]),
      [PATCH]: ok(share),
      ...api,
    },
  })
  await page.findByRole('heading', { name: /^Edit / })
  return page
}

const isDisabled = (button: HTMLElement) => 'disabled' in button && button.disabled === true

describe('an expired share whose files are kept', () => {
  const expired = sampleOwnShare({
    ...{ expiration: '2026-01-03T03:04:05.000Z', keptUntil: '2031-05-06T12:00:00.000Z' },
    state: 'reopened',
  })

  it('has settings to change, and files only once it is revived', async () => {
    const page = await edit(expired)
    expect(page.getByText(/^Expired, kept until .*2031/)).toBeTruthy()
    expect(page.queryByText('Append files')).toBeNull()
    expect(page.queryByText('Change expiration')).toBeNull()
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
    await page.fill('Name', 'Winter')
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes).toEqual([{ call: PATCH, body: { name: 'Winter' } }])
  })

  it('is revived, which saves nothing else, and takes files again', async () => {
    const page = await edit(expired)
    await page.fill('Name', 'Winter')
    await page.press('Revive Holiday')
    await page.findByRole('dialog', { name: 'Revive Holiday' })
    page.api.handle({
      'GET /api/shares/holiday/from-owner': ok(sampleOwnShare()),
      'GET /api/shares': ok([sampleOwnShare()]),
      [PATCH]: ok(sampleOwnShare()),
    })
    await page.press('Revive')
    await page.findByText('Append files')
    expect(page.api.changes).toEqual([{ call: PATCH, body: { expiration: '7-days' } }])
    expect(page.getByDisplayValue('Winter')).toBeTruthy()
  })
})

describe('a share whose files are still uploaded', () => {
  const uploading = (files = [sampleFile('a.txt')]) =>
    sampleOwnShare({
      ...{ state: 'uploading', files },
      coming: { fileCount: 1, size: 9, received: 0, files: [] },
    })

  it('has settings to change, and files only later', async () => {
    const page = await edit(uploading())
    expect(page.getByText('Files can be changed once the upload has ended.')).toBeTruthy()
    expect(page.queryByText('Append files')).toBeNull()
    await page.fill('Name', 'Winter')
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes).toEqual([{ call: PATCH, body: { name: 'Winter' } }])
  })

  it.each([
    ['keeps what arrived', ok(receipt), ['POST /api/shares/holiday/complete']],
    [
      'is deleted where nothing did',
      refuse(400, 'share_without_files'),
      ['POST /api/shares/holiday/complete', 'DELETE /api/shares/holiday'],
    ],
  ])('%s when its upload is ended', async (_what, completed, calls) => {
    const page = await edit(uploading(), {
      'POST /api/shares/holiday/complete': completed,
      'DELETE /api/shares/holiday': done,
    })
    await page.press('Stop upload')
    await page.findByRole('dialog', { name: 'Stop this upload?' })
    const [, confirm] = page.getAllByRole('button', { name: 'Stop upload' })
    if (confirm) await page.user.click(confirm)
    await expect.poll(() => page.api.changes.map(({ call }) => call)).toEqual(calls)
  })
})

describe('an edited share', () => {
  it('cannot be saved before anything differs, nor once it is as it was', async () => {
    const page = await edit()
    const save = page.getByRole('button', { name: 'Save' })
    expect(isDisabled(save)).toBe(true)
    await page.fill('Name', 'Winter')
    expect(isDisabled(save)).toBe(false)
    await page.fill('Name', 'Holiday')
    expect(isDisabled(save)).toBe(true)
  })

  it.each([
    ['Name', 'Winter', { name: 'Winter' }],
    ['Name', '', { name: null }],
    ['Description', 'With skis', { description: 'With skis' }],
    ['Password', 'sesame', { security: { password: 'sesame' } }],
    ['Maximum views', '9', { security: { maxViews: 9 } }],
  ])('sends a changed %s (%j) and nothing else', async (label, text, body) => {
    const page = await edit()
    await page.fill(label, text)
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes).toEqual([{ call: PATCH, body }])
    await expect.poll(() => page.location()).toBe('/account/shares')
  })

  it('is not left without a question once something differs', async () => {
    const page = await edit()
    await page.fill('Name', 'Winter')
    await page.user.click(page.getByRole('link', { name: 'Activity' }))
    await page.findByRole('dialog', { name: 'Discard your changes?' })
    expect(page.location()).toBe('/share/holiday/edit')
    await page.press('Discard changes')
    await expect.poll(() => page.location()).toBe('/share/holiday/activity')
  })

  it('loses its limit of views when that is emptied', async () => {
    const page = await edit(sampleOwnShare({ security: { passwordProtected: false, maxViews: 3 } }))
    await page.fill('Maximum views', '')
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes).toEqual([{ call: PATCH, body: { security: { maxViews: null } } }])
  })

  it('loses its password when that is asked for, whatever was typed before', async () => {
    const page = await edit(sampleOwnShare({ hasPassword: true }))
    await page.fill('New password', 'another')
    await page.user.click(page.getByLabelText('Remove the password'))
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes).toEqual([
      { call: PATCH, body: { security: { removePassword: true } } },
    ])
  })
})

describe('an encrypted share', () => {
  it('offers no change of its files, whose names nobody could read here', async () => {
    const files = [sampleFile('qHg0V3mXbZ9sK1tYc7RwLA'), sampleFile('manifest')]
    const page = await edit(sampleOwnShare({ encrypted: true, files }))
    expect(page.getByText(/^The files and the password of an encrypted share/)).toBeTruthy()
    for (const text of ['Append files', 'manifest']) expect(page.queryByText(text)).toBeNull()
  })

  it('keeps its password, which is part of its key, and takes other changes', async () => {
    const share = sampleOwnShare({ encrypted: true, hasPassword: true })
    const page = await edit(share)
    expect(page.queryByLabelText(/password/i)).toBeNull()
    await page.fill('Name', 'Winter')
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes).toEqual([{ call: PATCH, body: { name: 'Winter' } }])
  })
})

describe('what an edited share refuses or leaves out', () => {
  it.each([
    ['Name', 'ab', 'Must be at least 3 characters'],
    ['Password', 'ab', 'Must be at least 3 characters'],
  ])('says beside %s why %j cannot be', async (label, text, message) => {
    const page = await edit()
    await page.fill(label, text)
    await page.press('Save')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('asks for recipients and mails only where the server sends some', async () => {
    const page = await edit()
    expect(page.queryByLabelText('Recipients')).toBeNull()
    expect(page.queryByLabelText('Email me when it is downloaded')).toBeNull()
  })

  it('sends its new list of recipients', async () => {
    const page = await edit(
      sampleOwnShare({ recipients: ['a@x.example'] }),
      {},
      {
        'smtp.enabled': true,
        'email.enableShareEmailRecipients': true,
      },
    )
    await page.user.click(page.field('Recipients'))
    await page.user.keyboard('b@x.example{Enter}')
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes).toEqual([
      { call: PATCH, body: { recipients: ['a@x.example', 'b@x.example'] } },
    ])
  })

  it('stays on its page when the server refuses', async () => {
    const page = await edit(undefined, { [PATCH]: refuse(400, 'share_expiration_too_long') })
    await page.fill('Name', 'Winter')
    await page.press('Save')
    await page.findByText('The expiration exceeds the maximum')
    expect(page.location()).toBe('/share/holiday/edit')
    expect(page.getByDisplayValue('Winter')).toBeTruthy()
  })
})

describe('the files of an edited share', () => {
  const two = sampleOwnShare({ files: [sampleFile('a.txt'), sampleFile('b.txt')] })

  it('are struck out until they are saved, and can be kept after all', async () => {
    const page = await edit(two)
    await page.press('Delete a.txt')
    expect(page.getByText('a.txt').tagName).toBe('DEL')
    await page.press('Keep a.txt')
    expect(page.getByText('a.txt').tagName).not.toBe('DEL')
    expect(page.api.changes).toEqual([])
  })

  it('cannot all go', async () => {
    const page = await edit()
    await page.press('Delete fjord.txt')
    await page.press('Save')
    await page.findByText('A share needs at least one file')
    expect(page.api.changes).toEqual([])
  })

  it('go between the reopening and the completion of the share', async () => {
    const page = await edit(two, {
      'DELETE /api/shares/holiday/complete': done,
      'DELETE /api/shares/holiday/files/id-a.txt': done,
      'POST /api/shares/holiday/complete': ok(receipt),
    })
    await page.fill('Name', 'Winter')
    await page.press('Delete a.txt')
    await page.press('Save')
    await page.findByText('Share updated successfully')
    expect(page.api.changes.map(({ call }) => call)).toEqual([
      PATCH,
      'DELETE /api/shares/holiday/complete',
      'DELETE /api/shares/holiday/files/id-a.txt',
      'POST /api/shares/holiday/complete',
    ])
  })

  it('may not become larger than a share can be', async () => {
    const page = await edit(two, {}, { 'share.maxSize': 2_000 })
    await page.user.upload(page.getByLabelText('Files to upload'), new File(['x'], 'c.txt'))
    await page.findByText('Your files exceed the maximum share size of 2 kB')
    expect(page.queryByText('c.txt')).toBeNull()
  })

  it('cannot have the name of another, also once that is to stay after all', async () => {
    const page = await edit(two)
    const refusal = 'a.txt: A file with this name has already been chosen'
    const append = () =>
      page.user.upload(page.getByLabelText('Files to upload'), new File(['x'], 'a.txt'))
    await append()
    await page.findByText(refusal)
    expect(page.queryByText('New')).toBeNull()
    await page.press('Delete a.txt')
    await append()
    await page.findByText('New')
    await page.press('Keep a.txt')
    await waitFor(() => expect(page.getAllByText(refusal)).toHaveLength(2))
    expect(page.getByRole('button', { name: 'Keep a.txt' })).toBeTruthy()
  })

  it('give a new one back that was taken out', async () => {
    const page = await edit(two)
    await page.user.upload(page.getByLabelText('Files to upload'), new File(['x'], 'c.txt'))
    await page.findByText('New')
    await page.press('Delete c.txt')
    expect(page.queryByText('c.txt')).toBeNull()
    await page.user.click(await page.findByRole('button', { name: 'Undo' }))
    expect(page.getByText('c.txt')).toBeTruthy()
  })
})

describe('the texts of an edited share', () => {
  const FILE = 'GET /api/shares/holiday/files/id-Plans%2Fa.txt'
  const share = sampleOwnShare({ files: [sampleFile('Plans/a.txt', 4), sampleFile('b.mov')] })
  const open = (settings = {}) => edit(share, { [FILE]: ok(Buffer.from('one\n')) }, settings)

  async function change(page: Page, name: string, text: string) {
    await page.press(`Edit ${name}`)
    await page.findByLabelText('Text')
    await page.fill('Text', text)
    await page.press('Done')
  }

  it('can be edited and are as they were when that is undone, with nothing sent meanwhile', async () => {
    const page = await open()
    await change(page, 'Plans/a.txt', 'one\ntwo\n')
    await page.findByText('Edited')
    expect(page.getByText('8 B')).toBeTruthy()
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(false)
    await page.press('Undo changes to Plans/a.txt')
    expect(page.queryByText('Edited')).toBeNull()
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
    expect(page.api.changes).toEqual([])
  })

  it('go on from what was written when they are edited once more', async () => {
    const page = await open()
    await change(page, 'Plans/a.txt', 'one\ntwo\n')
    await page.press('Edit Plans/a.txt')
    const field = await page.findByLabelText('Text')
    expect(field).toHaveProperty('value', 'one\ntwo\n')
    expect(page.api.calls.filter((call) => call === FILE)).toHaveLength(1)
  })

  it('are texts by their names, and no longer to be deleted', async () => {
    const page = await open()
    expect(page.queryByRole('button', { name: 'Edit b.mov' })).toBeNull()
    await page.press('Delete Plans/a.txt')
    expect(page.queryByRole('button', { name: 'Edit Plans/a.txt' })).toBeNull()
  })

  it('may not make a share larger than it can be', async () => {
    const page = await open({ 'share.maxSize': 2_000 })
    await change(page, 'Plans/a.txt', 'x'.repeat(1_001))
    await page.findByText('Your files exceed the maximum share size of 2 kB')
    expect(page.queryByText('Edited')).toBeNull()
  })

  it('can be written, under names that are free, and edited before they are saved', async () => {
    const page = await open()
    await page.press('Write text')
    await page.findByRole('dialog', { name: 'Write text' })
    await page.fill('File name', 'b.mov')
    await page.fill('Text', 'three')
    await page.press('Add')
    expect(page.getByText('A file with this name has already been chosen')).toBeTruthy()
    await page.fill('File name', 'c.txt')
    await page.press('Add')
    await page.findByText('New')
    await change(page, 'c.txt', 'three and four')
    await page.findByText('14 B')
    expect(page.getAllByText('New')).toHaveLength(1)
  })
})

describe('an interrupted edit', () => {
  it('is told, and can be published as it is', async () => {
    const page = await edit(sampleOwnShare({ state: 'reopened' }))
    expect(page.getByText('Some changes are not published yet')).toBeTruthy()
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(false)
  })
})

describe('a share that cannot be edited', () => {
  it.each([
    [404, 'share_not_found', 'Share not found'],
    [403, 'forbidden', 'You are not allowed to do this'],
  ] as const)('%i %s says so and leads back', async (status, code, text) => {
    const page = await renderPage(<ShareEditPage />, {
      at: '/share/holiday/edit',
      path: '/share/:id/edit',
      user: sampleUser(),
      api: {
        'GET /api/shares/holiday/from-owner': refuse(status, code),
        'GET /api/shares': ok([]),
      },
    })
    await page.findByText(text)
    expect(page.getByRole('link', { name: 'Back to my shares' })).toBeTruthy()
  })
})
