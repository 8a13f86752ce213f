export { type DevOptions, runDev, type ServerBuild } from './loop/run-dev.ts'
