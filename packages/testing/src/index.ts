export {
  type Arrangement,
  type RunningFloe,
  startFloe,
  type StartFloeOptions,
} from './start-floe.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
