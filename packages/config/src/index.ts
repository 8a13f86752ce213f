export {
  environmentNames,
  type Environment,
  type ProviderUrls,
  readEnvironment,
  type EnvironmentProblem,
} from './environment.ts'
