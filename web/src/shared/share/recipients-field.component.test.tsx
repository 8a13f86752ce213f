// @vitest-environment jsdom
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { RecipientsField } from './RecipientsField.tsx'

async function renderField(first: string[] = []) {
  const seen: string[][] = [first]
  function Form() {
    const [value, setValue] = useState(first)
    const change = (next: string[]) => {
      seen.push(next)
      setValue(next)
    }
    return (
      <>
        <RecipientsField value={value} error={null} isEncrypted={false} onChange={change} />
        <button type="button">Elsewhere</button>
      </>
    )
  }
  const page = await renderPage(<Form />)
  return { page, value: () => seen.at(-1) }
}

it.each(['{Enter}', ',', ';', ' '])('takes what was typed as an address at %j', async (key) => {
  const { page, value } = await renderField()
  await page.user.click(page.getByLabelText('Recipients'))
  await page.user.keyboard(`a@x.example${key}`)
  expect(value()).toEqual(['a@x.example'])
})

it('takes what was typed when the field is left', async () => {
  const { page, value } = await renderField()
  await page.user.click(page.getByLabelText('Recipients'))
  await page.user.keyboard('a@x.example')
  await page.press('Elsewhere')
  expect(value()).toEqual(['a@x.example'])
})

it('takes several addresses that are pasted at once, each once', async () => {
  const { page, value } = await renderField(['a@x.example'])
  await page.user.click(page.getByLabelText('Recipients'))
  await page.user.paste('B <b@x.example>, A@x.example; c@x.example')
  expect(value()).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
})

it('leaves a single pasted address to be corrected', async () => {
  const { page, value } = await renderField()
  await page.user.click(page.getByLabelText('Recipients'))
  await page.user.paste('a@x.exampl')
  expect(value()).toEqual([])
  expect(page.getByDisplayValue('a@x.exampl')).toBeTruthy()
})

it('keeps what is no address, and says so', async () => {
  const { page, value } = await renderField()
  await page.user.click(page.getByLabelText('Recipients'))
  await page.user.keyboard('nobody{Enter}')
  expect(value()).toEqual(['nobody'])
  expect(page.getByText('Invalid email address')).toBeTruthy()
})

it('gives the last address back to be corrected at Backspace', async () => {
  const { page, value } = await renderField(['a@x.example', 'b@x.example'])
  await page.user.click(page.getByLabelText('Recipients'))
  await page.user.keyboard('{Backspace}')
  expect(value()).toEqual(['a@x.example'])
  expect(page.getByDisplayValue('b@x.example')).toBeTruthy()
})

it('gives an address back that was taken out, in its place', async () => {
  const { page, value } = await renderField(['a@x.example', 'b@x.example'])
  await page.press('Remove a@x.example')
  expect(value()).toEqual(['b@x.example'])
  await page.user.click(await page.findByRole('button', { name: 'Undo' }))
  expect(value()).toEqual(['a@x.example', 'b@x.example'])
})
