export { createLog, createLogs, type Log, type LogOptions } from './create-log.ts'
export {
  currentRequest,
  currentRequestId,
  inRequest,
  isRequestId,
  outsideRequests,
  type RequestContext,
} from './request-context.ts'
