import { writePingvin as write } from '@floe/testing'
import { openPingvin } from '../pingvin/open-pingvin.ts'
import type { ImportSource, SourceShare } from '../source.ts'
import { useSource } from './use-source.ts'

export function usePingvin() {
  const { write: writePingvin, read } = useSource({ write, open: openPingvin })
  return { writePingvin, read }
}

export async function allShares(source: ImportSource): Promise<SourceShare[]> {
  const found: SourceShare[] = []
  for await (const page of source.shares(2)) found.push(...page)
  return found
}
