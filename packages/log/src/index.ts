export { createLog, createLogs, type Log, type LogOptions } from './create-log.ts'
