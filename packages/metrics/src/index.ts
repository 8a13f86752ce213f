export {
  type AnsweredRequest,
  type JobOutcome,
  type JobTally,
  type Metrics,
  noMetrics,
  type PoolState,
  type TransferReading,
} from './metrics.ts'
export { createPrometheusMetrics, type PrometheusMetrics } from './prometheus-metrics.ts'
