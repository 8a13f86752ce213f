// @vitest-environment jsdom
import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { ReactElement } from 'react'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { describeField } from './describe-field.tsx'
import { PasswordField } from './PasswordField.tsx'

const beside = { id: 'field', inputContainer: describeField('help') }

const fields: [string, (error: string | null) => ReactElement][] = [
  ['a text', (error) => <TextInput {...beside} error={error} />],
  ['a long text', (error) => <Textarea {...beside} error={error} />],
  ['a number', (error) => <NumberInput {...beside} error={error} />],
  ['a choice', (error) => <NativeSelect {...beside} error={error} data={['A']} />],
  ['a password', (error) => <PasswordField id="field" describedBy="help" error={error} />],
]

it.each(fields)('%s is described by what stands elsewhere, and by its fault', async (_, draw) => {
  const page = await renderPage(
    <>
      <label htmlFor="field">Name</label>
      <p id="help">What it is</p>
      {draw('Too short')}
    </>,
  )
  const field = page.getByLabelText('Name')
  const ids = field.getAttribute('aria-describedby')?.split(/\s+/) ?? []
  const texts = ids.map((id) => document.querySelector(`[id="${id}"]`)?.textContent)
  expect(texts.toSorted()).toEqual(['Too short', 'What it is'])
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(page.getAllByText('What it is')).toHaveLength(1)
})

it.each(fields)('%s without a fault is not said to have one', async (_, draw) => {
  await renderPage(draw(null))
  const field = document.querySelector('#field')
  expect(field?.getAttribute('aria-describedby')).toBe('help')
  expect(field?.hasAttribute('aria-invalid')).toBe(false)
})
