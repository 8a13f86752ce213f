export {
  environmentNames,
  type Environment,
  type ProviderUrls,
  readEnvironment,
  type EnvironmentProblem,
} from './environment.ts'
export type { FirstUser } from './settings-file.ts'
