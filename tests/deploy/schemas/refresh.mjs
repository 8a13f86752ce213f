// `node tests/deploy/schemas/refresh.mjs`: takes the schemas that manifests are checked against from
// the sources of Kubernetes, KEDA and Compose, by way of Go's module proxy (needs `go`). Only the
// kinds used here are kept, without their descriptions, and strict: a field that the API does not
// have is an error. All three are licensed under Apache-2.0.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const versions = {
  'k8s.io/kubernetes': 'v1.37.2',
  'github.com/kedacore/keda/v2': 'v2.21.0',
  'github.com/compose-spec/compose-go/v2': 'v2.16.2',
}

/** API group and version → kinds. */
const kinds = {
  'api/v1': [
    'ConfigMap',
    'Namespace',
    'PersistentVolumeClaim',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'apis/apps/v1': ['Deployment'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/batch/v1': ['Job'],
  'apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'apis/policy/v1': ['PodDisruptionBudget'],
}
const kedaKinds = ['scaledobjects', 'triggerauthentications']

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'floe-schemas-'))
writeFileSync(join(folder, 'go.mod'), 'module schemas\n')
const sources = Object.fromEntries(
  Object.entries(versions).map(([module, version]) => [module, download(module, version)]),
)
rmSync(folder, { recursive: true })

write('kubernetes.json', {
  $comment: describe('k8s.io/kubernetes', 'github.com/kedacore/keda/v2'),
  kinds: { ...readKubernetes(sources['k8s.io/kubernetes']), ...readKeda() },
})
const compose = join(sources['github.com/compose-spec/compose-go/v2'], 'schema/compose-spec.json')
write('compose.json', {
  $comment: describe('github.com/compose-spec/compose-go/v2'),
  ...withoutTexts(JSON.parse(readFileSync(compose, 'utf8'))),
})

function download(module, version) {
  const args = ['mod', 'download', '-json', `${module}@${version}`]
  return JSON.parse(execFileSync('go', args, { cwd: folder, encoding: 'utf8' })).Dir
}

/** `apps/v1 Deployment` → a schema that needs no other. */
function readKubernetes(source) {
  const found = {}
  for (const [api, names] of Object.entries(kinds)) {
    const file = `${api.replaceAll('/', '__')}_openapi.json`
    const path = join(source, 'api/openapi-spec/v3', file)
    const { schemas } = JSON.parse(readFileSync(path, 'utf8')).components
    for (const name of names) {
      const version = api.replace(/^apis?\//, '')
      const isKind = ({ 'x-kubernetes-group-version-kind': list = [] }) =>
        list.some(({ group, version: v, kind }) => {
          return kind === name && (group === '' ? v : `${group}/${v}`) === version
        })
      const [id] = Object.entries(schemas).find(([, schema]) => isKind(schema)) ?? []
      found[`${version} ${name}`] = bundle(id, schemas)
    }
  }
  return found
}

function bundle(id, schemas) {
  const $defs = {}
  const add = (name) => {
    if (name in $defs) return
    $defs[name] = {}
    $defs[name] = strict(withoutTexts(schemas[name]))
    for (const [, next] of JSON.stringify($defs[name]).matchAll(/"#\/\$defs\/([^"]+)"/g)) add(next)
  }
  add(id)
  return { $ref: `#/$defs/${id}`, $defs }
}

function readKeda() {
  const found = {}
  for (const plural of kedaKinds) {
    const path = join(
      sources['github.com/kedacore/keda/v2'],
      `config/crd/bases/keda.sh_${plural}.yaml`,
    )
    const { spec } = parse(readFileSync(path, 'utf8'))
    const [{ name, schema }] = spec.versions
    found[`${spec.group}/${name} ${spec.names.kind}`] = strict(withoutTexts(schema.openAPIV3Schema))
  }
  return found
}

/** References point into the bundle, and a schema that lists properties allows no others. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') {
    return { type: ['integer', 'string'] }
  }
  const result = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !key.startsWith('x-') && key !== 'default' && key !== 'format')
      .map(([key, value]) => [key, strictMember(key, value)]),
  )
  const isClosed = result.properties && !result.additionalProperties
  const isFree =
    schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-embedded-resource']
  return isClosed && !isFree ? { ...result, additionalProperties: false } : result
}

function strictMember(key, value) {
  if (key === '$ref') return value.replace('#/components/schemas/', '#/$defs/')
  return key === 'enum' ? value : strict(value)
}

/** A property may be called `description`; a text is never an object. */
function withoutTexts(schema) {
  if (Array.isArray(schema)) return schema.map(withoutTexts)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'description' || typeof value === 'object')
      .map(([key, value]) => [key, withoutTexts(value)]),
  )
}

function describe(...modules) {
  return `Made by refresh.mjs from ${modules.map((name) => `${name}@${versions[name]}`).join(' and ')}, Apache-2.0`
}

function write(name, content) {
  writeFileSync(join(here, name), `${JSON.stringify(content)}\n`)
}
