import type { EnvironmentProblem } from './environment.ts'

/** Where clamd listens: a host and a port, or the path of its socket. */
export interface ClamavEnvironment {
  host: string
  port: number
}

export interface ClamavVariables {
  CLAMAV_HOST?: string | undefined
  CLAMAV_PORT?: number | undefined
}

const USUAL_PORT = 3310

export function toClamavEnvironment(variables: ClamavVariables): ClamavEnvironment | null {
  const { CLAMAV_HOST: host, CLAMAV_PORT: port = USUAL_PORT } = variables
  return host === undefined ? null : { host, port }
}

export function findClamavProblems(variables: ClamavVariables): EnvironmentProblem[] {
  return variables.CLAMAV_HOST === undefined && variables.CLAMAV_PORT !== undefined
    ? [{ variable: 'CLAMAV_HOST', message: 'is required with CLAMAV_PORT' }]
    : []
}
