export type { ByteSource } from './byte-source.ts'
export { type BodySink, type Connection, type Exchange, SilenceError } from './client/connection.ts'
export {
  type ConnectionPool,
  createConnectionPool,
  MOST_IDLE_MS,
} from './client/connection-pool.ts'
export { PulledBody } from './client/pulled-body.ts'
export {
  connectionOptions,
  MalformedResponseError,
  type ResponseHead,
} from './client/response-head.ts'
export {
  createTransferMemory,
  type MemoryShare,
  type TransferMemory,
} from './memory/transfer-memory.ts'
export { type BatchMemory, type BodyEnd, receiveBody } from './receive-body.ts'
export { relayBody } from './relay-body.ts'
export { sendBytes, type SentBytes } from './send-bytes.ts'
