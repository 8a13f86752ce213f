import { parse } from 'yaml'
import { read } from '../architecture/repository.ts'

export interface ComposeService {
  image: string
  build?: { target: string }
  profiles?: string[]
  user?: string
  command?: string[]
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  networks?: string[]
  network_mode?: string
  volumes?: (string | { source: string; target: string })[]
  configs?: { source: string; target: string }[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  tmpfs?: string[]
  ports?: string[]
}

export interface ComposeFile {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
  networks?: Record<string, unknown>
  configs?: Record<string, { file: string }>
}

/** As Compose reads it where no variable is set. */
export function readCompose(path: string): ComposeFile {
  const text = read(path).replace(/\$\{\w+:-([^}]*)\}/g, '$1')
  return parse(text, { merge: true }) as ComposeFile
}
