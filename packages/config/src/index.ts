export { type Environment, readEnvironment, type EnvironmentProblem } from './environment.ts'
