import { expect } from 'vitest'
import type { Answer } from './http-client.ts'
import { codeOf } from './shares.ts'

/** A clear no: a status of the client's making, and a code. */
export function expectRefusal(answer: Answer, what = ''): void {
  expect(answer.status, `${what}: ${answer.text}`).toBeGreaterThanOrEqual(400)
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(500)
  expect(codeOf(answer), what).toMatch(/^[a-z_]+$/)
}
