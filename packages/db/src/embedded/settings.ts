export type ServerSettings = Readonly<Record<string, string>>

/**
 * For a small machine that also runs Floe: two cores, some 100 MB for the database. Given on the
 * command line, so that they follow the release and not the day the cluster was made.
 */
const defaults: ServerSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  // The job queue alone opens a few dozen.
  max_connections: '120',
  shared_buffers: '96MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',
  // Fewer helper processes; parallel plans would take both cores from the byte path.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  // Not "minimal", though nothing replicates from here: under it a sequence that is created and
  // used in one transaction falls back to its first values after a crash. The job queue makes its
  // ids that way, and takes a job whose id was used before for one it already has.
  wal_level: 'replica',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  min_wal_size: '80MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum_naptime: '20s',
  idle_in_transaction_session_timeout: '5min',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Failed statements are reported by Floe, with the request they belong to.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

export function serverSettings(overrides: ServerSettings): string[] {
  return Object.entries({ ...defaults, ...overrides }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
}
