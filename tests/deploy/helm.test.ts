import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { environmentNames } from '@floe/config'
import { RELEASE_TAG, RELEASE_VERSION } from '@floe/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { read, root } from '../architecture/repository.ts'
import { findManifestProblems, type Manifest, nameOf, parseManifests, render } from './manifests.ts'

const chart = join(root, 'deploy/helm/floe')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'floe-helm-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

test('the chart is without fault', () => {
  const { status, stdout } = spawnSync('helm', ['lint', '--strict', chart], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('0 chart(s)') })
})

test('the chart has the version of the release, and so has its image', () => {
  const { version, appVersion } = parse(read('deploy/helm/floe/Chart.yaml')) as {
    version: string
    appVersion: string
  }
  expect({ version, appVersion }).toEqual({ version: RELEASE_TAG, appVersion: RELEASE_VERSION })
  const { image } = parse(read('deploy/helm/floe/values.yaml')) as { image: { tag: string } }
  expect(image.tag).toBe(RELEASE_TAG)
})

test('without values of its own, the chart is what k8s/base is', () => {
  // The namespace is there before a release is: helm install --create-namespace.
  const wanted = render(join(root, 'k8s/base')).filter(({ kind }) => kind !== 'Namespace')
  expect(byName(template({}))).toEqual(byName(wanted))
})

test('with its virus scanner, the chart is what k8s/base is with the component', () => {
  const overlay = join(folder, 'overlay')
  mkdirSync(overlay)
  const component = relative(realpathSync(overlay), join(root, 'k8s/components/antivirus'))
  const base = relative(realpathSync(overlay), join(root, 'k8s/base'))
  writeFileSync(
    join(overlay, 'kustomization.yaml'),
    stringify({ namespace: 'floe', resources: [base], components: [component] }),
  )
  const manifests = template({ antivirus: { enabled: true } })
  expect(manifests.flatMap(findManifestProblems)).toEqual([])
  const wanted = render(overlay).filter(({ kind }) => kind !== 'Namespace')
  expect(byName(manifests)).toEqual(byName(wanted))
})

describe('with values', () => {
  let manifests: Manifest[]
  const find = (name: string) => {
    return manifests.find((one) => nameOf(one) === name) ?? expect.fail(`no ${name}`)
  }

  beforeAll(() => {
    manifests = template({
      image: {
        repository: 'registry.example.com/apps/floe',
        tag: '1.2.3-floe.4',
        pullSecrets: [{ name: 'pull' }],
      },
      publicUrl: 'https://files.example.com',
      trustedProxies: '10.244.0.0/16',
      logLevel: 'warn',
      existingSecret: 'mine',
      s3: { endpoint: '', publicEndpoint: 'https://s3.example.com', region: 'eu-1', bucket: 'b' },
      environment: { MAX_CONNECTIONS: '1000000', METRICS_PORT: '9100' },
      ingress: { className: 'traefik', tlsSecret: 'tls', namespace: 'traefik' },
      replicas: { gateway: 3 },
      fileProcesses: 4,
      resources: { file: { limits: { cpu: '4' } } },
    })
  })

  test('is what the API of a current Kubernetes takes, field by field', () => {
    expect(manifests.flatMap(findManifestProblems)).toEqual([])
  })

  test('puts an installation where its operator wants it', () => {
    const text = JSON.stringify(manifests)
    for (const value of [
      '.example.org',
      's3.storage.svc',
      'ingress-nginx',
      '"secretName":"floe"',
    ]) {
      expect(text).not.toContain(value)
    }
    const images = new Set(text.match(/(?<="image":)"[^"]+"/g))
    expect([...images]).toEqual(['"registry.example.com/apps/floe:1.2.3-floe.4"'])
    expect(find('Ingress floe')).toMatchObject({
      spec: {
        ingressClassName: 'traefik',
        tls: [{ hosts: ['files.example.com'], secretName: 'tls' }],
        rules: [{ host: 'files.example.com' }],
      },
    })
    const map = manifests.find(({ kind }) => kind === 'ConfigMap') as { data?: object } | undefined
    expect(map?.data).toEqual({
      PUBLIC_URL: 'https://files.example.com',
      TRUSTED_PROXIES: '10.244.0.0/16',
      LOG_LEVEL: 'warn',
      S3_PUBLIC_ENDPOINT: 'https://s3.example.com',
      S3_REGION: 'eu-1',
      S3_BUCKET: 'b',
      MAX_CONNECTIONS: '1000000',
      METRICS_PORT: '9100',
      ...Object.fromEntries(
        ['auth', 'share', 'file', 'admin'].map((name) => [
          `${name.toUpperCase()}_URL`,
          `http://${name}:3000`,
        ]),
      ),
    })
    const unknown = Object.keys(map?.data ?? {}).filter((name) => !environmentNames.includes(name))
    expect(unknown).toEqual([])
  })

  test('sizes the services that are named, and leaves the others', () => {
    expect(find('Deployment gateway')).toHaveProperty('spec.replicas', 3)
    expect(find('Deployment auth')).not.toHaveProperty('spec.replicas')
    const file = find('Deployment file')
    expect(file).toHaveProperty('spec.template.spec.imagePullSecrets', [{ name: 'pull' }])
    const container = 'spec.template.spec.containers.0'
    expect(file).toHaveProperty(`${container}.resources.limits`, { cpu: '4', memory: '1Gi' })
    expect(JSON.stringify(file)).toContain('{"name":"FILE_PROCESSES","value":"4"}')
  })
})

test('a change of the configuration restarts the pods', () => {
  const nameWith = (values: object) =>
    template(values).find(({ kind }) => kind === 'ConfigMap')?.metadata.name
  expect(nameWith({ logLevel: 'debug' })).not.toBe(nameWith({}))
})

test('ingress and network policies can be left to others', () => {
  const kinds = template({ ingress: { enabled: false }, networkPolicies: { enabled: false } }).map(
    ({ kind }) => kind,
  )
  expect(kinds).not.toContain('Ingress')
  expect(kinds).not.toContain('NetworkPolicy')
})

test.each([
  ['replicas', { replicas: { gatway: 2 } }],
  ['publicUrl', { publicUrl: 'files.example.com' }],
  ['tag', { image: { tag: '1.2.3+floe.4' } }],
  ['logLevel', { logLevel: 'loud' }],
  ['storage', { antivirus: { storage: 'much' } }],
  ['log-level', { environment: { 'log-level': 'info' } }],
  // Helm would write 1e+06.
  ['MAX_CONNECTIONS', { environment: { MAX_CONNECTIONS: 1_000_000 } }],
])('a value that cannot be is refused by its name: %s', (name, values) => {
  const { status, stderr } = spawnSync('helm', templateArguments(values), { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain(name)
})

function templateArguments(values: object): string[] {
  const file = join(folder, 'values.yaml')
  writeFileSync(file, stringify(values))
  // A program that Go has built by itself takes the cluster for a very old one.
  const options = ['--namespace', 'floe', '--kube-version', '1.34.0', '--values', file]
  return ['template', 'floe', chart, ...options]
}

function template(values: object): Manifest[] {
  const text = execFileSync('helm', templateArguments(values), { encoding: 'utf8' })
  return parseManifests(text)
}

/** Without the digest that a configuration is named by, and without what only Helm reads. */
function byName(manifests: readonly Manifest[]): Record<string, unknown> {
  const text = JSON.stringify(manifests)
    .replaceAll(/"(floe|clamav)-[0-9a-z]{10}"/g, '"$1-digest"')
    .replaceAll(/"helm\.sh\/[^"]+":"[^"]*",?/g, '')
  const normalised = JSON.parse(text) as Manifest[]
  return Object.fromEntries(normalised.map((one) => [nameOf(one), one]))
}
