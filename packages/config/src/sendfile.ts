import type { EnvironmentProblem } from './environment.ts'

export const sendfileHeaders = ['X-Accel-Redirect', 'X-Sendfile'] as const

/** A proxy in front sends files from disk: it is told which by this header of a response. */
export interface SendfileEnvironment {
  header: (typeof sendfileHeaders)[number]
  /** What the proxy calls the folder of the objects; begins and ends with a slash. */
  prefix: string
}

export interface SendfileVariables {
  SENDFILE_HEADER?: SendfileEnvironment['header'] | undefined
  SENDFILE_PREFIX?: string | undefined
  DATA_DIR: string
}

/** nginx and Apache decode what they are given and Caddy does not: all read these alike. */
const plainPath = /^\/(?:[\w.~@+,=-]+\/)*$/

export function toSendfileEnvironment(variables: SendfileVariables): SendfileEnvironment | null {
  const { SENDFILE_HEADER: header, SENDFILE_PREFIX: prefix, DATA_DIR } = variables
  if (header === undefined) return null
  const usual = header === 'X-Sendfile' ? `${DATA_DIR}/objects` : '/floe-objects'
  return { header, prefix: (prefix ?? usual).replace(/\/*$/, '/') }
}

export function findSendfileProblems(
  variables: SendfileVariables,
  { keepsFiles }: { keepsFiles: boolean },
): EnvironmentProblem[] {
  const sendfile = toSendfileEnvironment(variables)
  if (sendfile === null) {
    return variables.SENDFILE_PREFIX === undefined
      ? []
      : [{ variable: 'SENDFILE_HEADER', message: 'is required with SENDFILE_PREFIX' }]
  }
  const problems: EnvironmentProblem[] = []
  if (!keepsFiles) {
    const message = 'cannot be combined with S3_BUCKET: a proxy can send files from disk only'
    problems.push({ variable: 'SENDFILE_HEADER', message })
  }
  if (!plainPath.test(sendfile.prefix)) {
    const rule = 'an absolute path of ASCII letters, digits and . _ ~ @ + , = - /'
    problems.push(
      variables.SENDFILE_PREFIX === undefined
        ? { variable: 'DATA_DIR', message: `must be ${rule} with X-Sendfile` }
        : { variable: 'SENDFILE_PREFIX', message: `must be ${rule}` },
    )
  }
  return problems
}
