import { expect } from 'vitest'
import type { HttpResponse } from './http-client.ts'
import { codeOf } from './shares.ts'

/** A clear no: a status of the client's making, and a code. */
export function expectRefusal(response: HttpResponse, what = ''): void {
  expect(response.status, `${what}: ${response.text}`).toBeGreaterThanOrEqual(400)
  expect(response.status, `${what}: ${response.text}`).toBeLessThan(500)
  expect(codeOf(response), what).toMatch(/^[a-z_]+$/)
}
