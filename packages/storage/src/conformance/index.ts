import { afterAll, beforeAll, describe } from 'vitest'
import { describeAbsence } from './absence.ts'
import { describeAdopting } from './adopting.ts'
import { describeConcatenating } from './concatenating.ts'
import {
  describeContinuing,
  describeEnding,
  describeFlushing,
  describeRecovering,
} from './continuing.ts'
import { describeFullStorage, describeInventory } from './inventory.ts'
import { describeReading } from './reading.ts'
import type { StoreUnderTest } from './store-under-test.ts'
import { describeBeginning, describeWriting } from './writing.ts'

export { type StoreUnderTest, unknownEnd } from './store-under-test.ts'

const suites = [
  describeBeginning,
  describeWriting,
  describeContinuing,
  describeFlushing,
  describeRecovering,
  describeEnding,
  describeReading,
  describeAbsence,
  describeConcatenating,
  describeAdopting,
  describeInventory,
  describeFullStorage,
]

/** What every adapter of the port must do. `createStore` runs once for the suite. */
export function describeObjectStore(name: string, createStore: () => Promise<StoreUnderTest>) {
  describe(name, () => {
    let subject: StoreUnderTest

    beforeAll(async () => {
      subject = await createStore()
    })
    afterAll(() => subject.dispose())

    for (const describeSuite of suites) describeSuite(() => subject)
  })
}
