export { badLogos, type BadLogo } from './bad-logos.ts'
export {
  type ClamdServer,
  type ClamdServerOptions,
  infectedText,
  startClamdServer,
  THREAT,
} from './clamd-server.ts'
export { dumpDatabase, dumpDataDirectory, dumpSchema, readRows } from './dump-database.ts'
export { explain } from './explain.ts'
export { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './fault-proxy.ts'
export { findFreePort, findFreePorts, isPortFree } from './free-port.ts'
export { isFullRun } from './full-run.ts'
export { type HostileName, hostileNames, impossibleNames } from './hostile-names.ts'
export { type Latch, latch, runPendingTasks } from './latch.ts'
export { type LdapPerson, type LdapServer, startLdapServer } from './ldap-server.ts'
export { blackPng, colourPng, pngChunk, pngFile, pngHeader } from './png.ts'
export * from './providers/index.ts'
export { createRandom, type Random } from './random.ts'
export {
  type RecordedRequest,
  type RecordingUpstream,
  startRecordingUpstream,
} from './recording-upstream.ts'
export { type RedisServer, reserveRedisServer } from './redis-server.ts'
export { type ReleaseServer, startReleaseServer } from './release-server.ts'
export {
  listReleasedSchemas,
  prepareReleasedSchema,
  type ReleasedContent,
  type ReleasedSchema,
} from './released-schemas.ts'
export {
  reserveMinioServer,
  reserveS3Server,
  type S3Program,
  s3Programs,
  type S3Server,
} from './s3-server.ts'
export { makeSentences } from './sentences.ts'
export { type SmtpCatcher, type SmtpCatcherOptions, startSmtpCatcher } from './smtp-catcher.ts'
export type { CaughtMessage } from './smtp-message.ts'
export {
  type Arrangement,
  type RunningFloe,
  startFloe,
  type StartFloeOptions,
} from './start-floe.ts'
export {
  createNeighbourDatabase,
  createTestDatabase,
  queryDatabase,
  queryDataDirectory,
  queryNewDataDirectory,
  type TestDatabase,
  withDataDirectory,
} from './test-database.ts'
export { ADDED_BY_TEST, findReplicas, type SplitReplica } from './split-replicas.ts'
export {
  type PingvinData,
  type PingvinRows,
  type PingvinVersion,
  replaceDatabase,
  writePingvin,
} from './pingvin-folder.ts'
export { type GokapiData, gokapiEncryption, writeGokapi } from './gokapi-folder.ts'
export { type PalmrData, writePalmr } from './palmr-folder.ts'
export { type SqliteRows, type SqliteValue, writeSqlite } from './write-sqlite.ts'
