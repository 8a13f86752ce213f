// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleUser } from '../../testing/samples.ts'
import { Page } from './pages/DevicePage.tsx'

const path = '/api/oauth/device/WDJB-MJHT'
const asked = {
  userCode: 'WDJB-MJHT',
  clientName: 'laptop',
  scopes: ['shares:read'],
  address: '192.0.2.7',
  createdAt: new Date().toISOString(),
}

const render = (api: Handlers) =>
  renderPage(<Page />, { user: sampleUser(), at: '/device?code=WDJB-MJHT', api })

describe('the page that lets a program in', () => {
  it.each([
    ['Approve', true, 'Access approved'],
    ['Refuse', false, 'Access refused'],
  ])('says what is asked, and on "%s" decides', async (button, approve, outcome) => {
    const page = await render({ [`GET ${path}`]: ok(asked), [`POST ${path}`]: done })
    await page.findByText('Enter the code that the program shows.')
    await page.press('Continue')
    await page.findByText('laptop asks for access to your account')
    expect(page.getByText('Asked from 192.0.2.7')).toBeTruthy()
    expect(page.getByText('See your shares and who opened them')).toBeTruthy()
    expect(page.getByText('Approve only what you started yourself.')).toBeTruthy()
    await page.press(button)
    await page.findByText(outcome)
    expect(page.getByText('You can close this page.')).toBeTruthy()
    expect(page.api.changes).toEqual([{ call: `POST ${path}`, body: { approve } }])
  })

  it('says that no program waits with a code', async () => {
    const page = await render({ [`GET ${path}`]: refuse(404, 'device_code_not_found') })
    await page.press('Continue')
    await page.findByText('No program is waiting with this code. It may have expired.')
  })
})
