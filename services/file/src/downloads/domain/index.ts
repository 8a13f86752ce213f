export { contentDisposition } from './content-disposition.ts'
export { safeContentType, type ContentType } from './content-type.ts'
export {
  planDownload,
  unsatisfiableRangeHeaders,
  type DownloadPlan,
  type DownloadRequest,
  type Representation,
} from './plan-download.ts'
export { parseRange, type ByteSpan } from './range.ts'
export { sendBytes, type SendBytesOptions, type SentBytes } from './send-bytes.ts'
export { sendDownload, type SendDownloadOptions } from './send-download.ts'
