export {
  type DownloadPlan,
  type DownloadRequest,
  planDownload,
  type Representation,
  unsatisfiableRangeHeaders,
} from './plan-download.ts'
export type { ByteSpan } from './range.ts'
