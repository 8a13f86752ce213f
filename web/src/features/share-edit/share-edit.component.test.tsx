// @vitest-environment jsdom
import type { OwnShare } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
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
