import { defaultSettings, type ScanState, scanStates } from '@floe/contracts'
import { isAppError } from '@floe/errors'
import { newObjectKey, type ObjectKey } from '@floe/storage'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createFileGate, type ServedKey, type ServedObjects } from './file-gate.ts'

const file = (state: ScanState) => ({ objectKey: newObjectKey(), scan: { state } })

function gateWith(options: { scans?: boolean; policy?: 'hold' | 'mark'; allowTooBig?: boolean }) {
  const { scans = true, policy = 'hold', allowTooBig = false } = options
  const settings = {
    ...defaultSettings(),
    'antivirus.policy': policy,
    'antivirus.allowTooBig': allowTooBig,
  }
  return createFileGate({ scans, admin: { settings: async () => settings } })
}

async function passing(gate: ReturnType<typeof gateWith>): Promise<ScanState[]> {
  const judged = scanStates.map(async (state) => {
    const outcome = await gate.admit(file(state)).catch((error: unknown) => error)
    return isAppError(outcome) ? [] : [state]
  })
  return (await Promise.all(judged)).flat()
}

describe('the gate', () => {
  it.each([
    ['held', {}, ['clean']],
    ['held, and large files are allowed', { allowTooBig: true }, ['clean', 'too_big']],
    ['marked', { policy: 'mark' }, ['clean', 'too_big', 'not_scanned', 'failed']],
    ['without a scanner', { scans: false }, ['clean', 'too_big', 'not_scanned', 'failed']],
  ] as const)('lets pass what may be read where files are %s', async (_what, options, states) => {
    expect(await passing(gateWith(options))).toEqual(states)
  })

  it('leaves out of a whole what is closed, waits for what is not scanned, and gives no empty whole', async () => {
    const gate = gateWith({})
    const clean = file('clean')
    const keys = (await gate.sift([file('infected'), clean])).map(({ objectKey }) => objectKey)
    expect(keys).toEqual([clean.objectKey])
    await expect(gate.sift([clean, file('failed')])).rejects.toMatchObject({
      code: 'file_not_scanned',
    })
    await expect(gate.sift([file('infected')])).rejects.toMatchObject({ code: 'file_infected' })
    expect(await gate.sift([])).toEqual([])
  })

  it('is the only one that makes keys of what is read for somebody', async () => {
    const { objectKey } = await gateWith({}).admit(file('clean'))
    expectTypeOf(objectKey).toExtend<ServedKey>()
    // A key of a row is none that may be read: what forgets the gate does not compile.
    expectTypeOf<ObjectKey>().not.toExtend<ServedKey>()
    expectTypeOf<Parameters<ServedObjects['openReader']>[0]>().toEqualTypeOf<ServedKey>()
  })
})
