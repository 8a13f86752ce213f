import type { Database } from '@floe/db'
import type { SegmentStore } from '../domain/segment-ports.ts'
import { createSegmentClaims } from './segment-claim-rows.ts'
import { createSegmentListing } from './segment-listing-rows.ts'
import { createSegmentRequests } from './segment-request-rows.ts'
import { createSegmentRetirement } from './segment-retirement-rows.ts'

export interface SegmentStoreOptions {
  database: Database
  clock: () => Date
  /** Key of this process; a claim counts for as long as its holder is present. */
  instanceKey: number
}

export function createSegmentStore(options: SegmentStoreOptions): SegmentStore {
  return {
    ...createSegmentListing(options.database),
    ...createSegmentRequests(options.database),
    ...createSegmentClaims(options),
    ...createSegmentRetirement(options),
  }
}
