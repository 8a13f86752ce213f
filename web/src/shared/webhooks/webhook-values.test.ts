import { describe, expect, it } from 'vitest'
import { sampleWebhook } from '../../testing/samples.ts'
import { nameOf, stateText } from './webhook-texts.ts'
import { firstValues, toChanges, toLines, toLocalTime, toNewWebhook } from './webhook-values.ts'

describe('the values of a webhook', () => {
  it('are those it has, and what is saved is what was chosen', () => {
    const webhook = sampleWebhook({ disabledAt: '2026-05-01T10:00:00.000Z' })
    const { url, format, events } = webhook
    expect(firstValues(webhook)).toEqual({ url, format, events, isOn: false })
    const values = { ...firstValues(webhook), url: ` ${url} `, isOn: true }
    expect(toChanges(values)).toEqual({ url, format, events, enabled: true })
    expect(toNewWebhook(values, 'instance')).toEqual({ url, format, events, scope: 'instance' })
  })

  it('of a new one are on', () => {
    expect(firstValues(null)).toMatchObject({ url: '', format: 'standard', isOn: true })
  })
})

it.each([
  [null, 'webhooks.on'],
  ['owner', 'webhooks.off'],
  ['gone', 'webhooks.gone'],
  ['failing', 'webhooks.failing'],
] as const)('a webhook that is off by %s is called %s', (disabledReason, text) => {
  const disabledAt = disabledReason && '2026-05-01T10:00:00.000Z'
  expect(stateText(sampleWebhook({ disabledAt, disabledReason }))).toBe(text)
})

it('a webhook is called by its host, which tells no secret', () => {
  expect(nameOf({ url: 'https://discord.com/api/webhooks/1/secret?x=y' })).toBe('discord.com')
})

it('a time is written in the zone of the browser, to the minute', () => {
  const time = new Date(2026, 2, 4, 5, 6, 59)
  expect(toLocalTime(time)).toBe('2026-03-04T05:06')
  expect(new Date(toLocalTime(time)).getTime()).toBe(time.getTime() - 59_000)
})

it('JSON is shown over several lines, and all else as it is', () => {
  expect(toLines('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(toLines('not found')).toBe('not found')
})
