import { type Arrangement, startFloe } from '@floe/testing'
import type { TestProject } from 'vitest/node'
import { createClient } from './http-client.ts'

export interface FloeUnderTest {
  arrangement: Arrangement
  url: string
  dataDirectory: string
  /** The first account, which is the administrator. */
  admin: { email: string; password: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    floes: FloeUnderTest[]
  }
}

const admin = { email: 'admin@floe.test', password: 'correct horse battery' }

/** Both arrangements run for the whole project; every test makes its own accounts and shares. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const arrangements = ['embedded', 'split'] as const
  const started = await Promise.allSettled(
    arrangements.map((arrangement) => startFloe({ arrangement })),
  )
  const running = started
    .filter((result) => result.status === 'fulfilled')
    .map(({ value }) => value)
  const stopAll = async () => {
    await Promise.all(running.map((floe) => floe.stop()))
  }
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason
    for (const { url } of running) {
      const answer = await createClient(url).send('POST', '/api/auth/signUp', {
        json: { ...admin, username: 'admin' },
      })
      if (answer.status !== 201) throw new Error(`no administrator: ${answer.text}`)
    }
  } catch (error) {
    await stopAll()
    throw error
  }
  project.provide(
    'floes',
    running.map(({ arrangement, url, dataDirectory }) => ({
      arrangement,
      url,
      dataDirectory,
      admin,
    })),
  )
  return stopAll
}
