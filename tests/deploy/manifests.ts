import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { read } from '../architecture/repository.ts'
import { isOnPath } from './on-path.ts'
import { createValidator } from './schema.ts'

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> }
}

const { kinds } = JSON.parse(read('tests/deploy/schemas/kubernetes.json')) as {
  kinds: Record<string, object>
}
const validators = new Map(
  Object.entries(kinds).map(([kind, schema]) => [kind, createValidator(schema)] as const),
)
export function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`
}

export function findManifestProblems(manifest: Manifest): string[] {
  const kind = `${manifest.apiVersion} ${manifest.kind}`
  const findProblems = validators.get(kind) ?? expect.fail(`no schema of ${kind}`)
  return findProblems(manifest)
}

/** As `kubectl apply --kustomize` would send them. */
export function render(folder: string): Manifest[] {
  const [program, ...args] = isOnPath('kubectl') ? ['kubectl', 'kustomize'] : ['kustomize', 'build']
  const text = execFileSync(program, [...args, folder], { encoding: 'utf8' })
  return parseManifests(text)
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}
