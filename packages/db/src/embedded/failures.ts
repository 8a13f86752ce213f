import { StartError } from '../start-error.ts'

/** Turns what the file system reported into one sentence; undefined when it is not about files. */
export function explainFileError(error: unknown, dataDir: string): StartError | undefined {
  const { code, path } = error as NodeJS.ErrnoException
  const where = path ?? dataDir
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return new StartError(
        `Floe has no permission to write to ${where}; give its user write permission, or set DATA_DIR to another folder.`,
        error,
      )
    case 'EROFS':
      return new StartError(
        `${where} is on a read-only file system; set DATA_DIR to a folder Floe can write to.`,
        error,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(dataDir, error)
    case 'ENOENT':
      return new StartError(
        `Floe cannot create ${where}; create it yourself, or set DATA_DIR to a folder Floe can write to.`,
        error,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(
        `${where} is not a folder, so Floe cannot keep its data in ${dataDir}; set DATA_DIR to a folder.`,
        error,
      )
    default:
      return undefined
  }
}

/** The same for what initdb or the server printed. */
export function explainServerOutput(output: string, dataDir: string): StartError {
  if (/No space left on device|Disk quota exceeded/i.test(output)) return diskFull(dataDir)
  const lines = output.split('\n').map((line) => line.trim())
  const reason =
    lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ??
    lines.findLast((line) => line.length > 0) ??
    'it printed nothing'
  const words = reason.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '').replace(/[.\s]+$/, '')
  return new StartError(`The embedded PostgreSQL in ${dataDir} could not start: ${words}.`)
}

export function alreadyRunning(dataDir: string): StartError {
  return new StartError(
    `Another Floe is already running on the data directory ${dataDir}; stop it first, or set DATA_DIR to another folder.`,
  )
}

function diskFull(dataDir: string, cause?: unknown): StartError {
  return new StartError(
    `The disk that holds ${dataDir} is full; free some space and start again.`,
    cause,
  )
}
