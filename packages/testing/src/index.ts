export { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './fault-proxy.ts'
export { createRandom, type Random } from './random.ts'
export {
  type Arrangement,
  type RunningFloe,
  startFloe,
  type StartFloeOptions,
} from './start-floe.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
