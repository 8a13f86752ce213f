export {
  type DownloadPlan,
  type DownloadRequest,
  isUnsatisfiable,
  planDownload,
  type Representation,
  unsatisfiableRangeHeaders,
} from './plan-download.ts'
export type { ByteSpan } from './range.ts'
