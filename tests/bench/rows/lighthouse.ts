import { startLighthouse } from '../../e2e/harness/lighthouse.ts'
import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { fillShare, signUp } from '../floe/session.ts'
import { limitLine, type Line } from '../harness/report.ts'

const FILES = 8

async function measureScores({ scratch, load, rounds }: Bench): Promise<Line[]> {
  const floe = await startFloe(scratch)
  const lighthouse = await startLighthouse()
  try {
    const session = await signUp(floe)
    await session.changeSettings({ 'share.allowUnauthenticatedShares': true })
    const shareId = await fillShare(session, load, Array<number>(FILES).fill(1000))
    await waitUntilQuiet(floe)
    const pages = [
      { name: 'home', path: '/', values: [] as number[] },
      { name: 'sign-in', path: '/auth/signIn', values: [] as number[] },
      { name: 'upload', path: '/upload', values: [] as number[] },
      { name: 'share', path: `/share/${shareId}`, values: [] as number[] },
    ]
    for (let round = 0; round < rounds; round++) {
      for (const { path, values } of pages) {
        const visit = await lighthouse.visit(`http://127.0.0.1:${floe.port}${path}`, {
          only: { categories: ['performance'] },
        })
        values.push(visit.scoreOf('performance'))
      }
    }
    return pages.map(({ name, values }) =>
      limitLine({
        what: `Lighthouse, a phone on slow 4G, ${name} page: Performance`,
        values,
        unit: 'of 100',
        digits: 0,
        atLeast: 95,
      }),
    )
  } finally {
    await lighthouse.close()
    await floe.stop()
  }
}

export const lighthouseRow: Row = { name: 'lighthouse', measure: measureScores }
