import type { Bench, Row } from '../bench.ts'
import { startFloe } from '../floe/floe.ts'
import { limitLine, type Line } from '../harness/report.ts'

async function measureStart({ scratch, rounds }: Bench): Promise<Line[]> {
  const first: number[] = []
  const later: number[] = []
  for (let run = 0; run < rounds; run++) {
    const floe = await startFloe(scratch)
    await floe.stop()
    first.push(floe.startSeconds)
    const again = await startFloe(scratch, { dataDir: floe.dataDir })
    await again.stop()
    later.push(again.startSeconds)
  }
  const line = (what: string, values: number[]): Line =>
    limitLine({ what, values, unit: 's', digits: 1, atMost: 5 })
  return [
    line(
      'Start of an installed checkout with an empty data folder, to a good health response',
      first,
    ),
    line('The same with the data of an earlier start', later),
  ]
}

export const startRow: Row = { name: 'start', measure: measureStart }
