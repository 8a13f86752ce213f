import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { environmentNames, readEnvironment } from '@floe/config'
import { RELEASE_TAG, routes } from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { listCommitted, read, root } from '../architecture/repository.ts'
import { findStep, readDockerfile } from './dockerfile.ts'
import { findManifestProblems, type Manifest, nameOf, render } from './manifests.ts'

interface Selector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values: string[] }[]
}

interface Probe {
  httpGet: { path: string; port: string }
  periodSeconds: number
  failureThreshold: number
}

interface Container {
  name: string
  image: string
  command?: string[]
  env: { name: string; value: string }[]
  envFrom: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  resources: Record<'requests' | 'limits', Record<'cpu' | 'memory', string>>
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
  lifecycle: { preStop: { sleep: { seconds: number } } }
  volumeMounts: { name: string; mountPath: string }[]
}

interface Pod {
  metadata: { labels: Record<string, string> }
  spec: {
    containers: Container[]
    volumes: { name: string; secret?: { secretName: string }; emptyDir?: object }[]
    terminationGracePeriodSeconds: number
  }
}

interface Workload extends Manifest {
  spec: {
    replicas?: number
    selector: Selector
    strategy: { rollingUpdate: { maxUnavailable: number } }
    template: Pod
  }
}

interface Service extends Manifest {
  spec: {
    selector: Record<string, string>
    ports: { name: string; port: number; targetPort: string }[]
  }
}

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
}

interface NetworkPolicy extends Manifest {
  spec: {
    podSelector: Selector
    policyTypes: string[]
    ingress?: { from?: Peer[]; ports?: { port: number }[] }[]
    egress?: { to?: Peer[]; ports?: { port: number }[] }[]
  }
}

const stages = readDockerfile(read('deploy/Dockerfile'))
const serviceNames = ['gateway', 'auth', 'share', 'file', 'admin', 'worker']
const overlays = [
  ...new Set(listCommitted(/^k8s\/overlays\//).map((path) => path.split('/')[2] ?? '')),
]

/** The process's own stop may take this long. */
const STOP_SECONDS = 10

test('there is an overlay for every size', () => {
  expect(overlays.sort()).toEqual(['keda', 'production', 'small'])
})

test('a field that the API does not have is found', () => {
  const manifest = (spec: object) => ({
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'one' } },
    spec,
  })
  expect(findManifestProblems(manifest({ maxUnavailable: '50%' }))).toEqual([])
  expect(findManifestProblems(manifest({ maxUnavailable: {} }))).toHaveLength(1)
  expect(findManifestProblems(manifest({ maxUnavalable: 1 }))).toEqual([
    expect.stringContaining('maxUnavalable'),
  ])
})

test('an overlay as the guide shows it puts an installation where its operator wants it', () => {
  const [, example = ''] =
    /```yaml\n(apiVersion:.*?)```/s.exec(read('docs/install/kubernetes.md')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'floe-overlay-'))
  try {
    const production = relative(realpathSync(folder), join(root, 'k8s/overlays/production'))
    const text = example.replace('../floe/k8s/overlays/production', production)
    writeFileSync(join(folder, 'kustomization.yaml'), text)
    const built = JSON.stringify(render(folder))
    expect(built).toContain('"image":"<registry>/floe:<version>"')
    expect(built).toContain('"PUBLIC_URL":"https://files.example.com"')
    expect(built).toContain('"host":"files.example.com"')
    expect(built).not.toContain('.example.org')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the virus scanner is reached by what scans alone, and is no service of Floe to its policies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floe-overlay-'))
  const pathTo = (name: string) => relative(realpathSync(folder), join(root, 'k8s', name))
  try {
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      stringify({
        namespace: 'mine',
        resources: [pathTo('overlays/production')],
        components: [pathTo('components/antivirus')],
      }),
    )
    const manifests = render(folder)
    expect(manifests.flatMap(findManifestProblems)).toEqual([])
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(
      new Set(['mine', undefined]),
    )
    const isScanner = (one: Manifest): one is Workload => nameOf(one) === 'Deployment clamav'
    const scanner = manifests.find(isScanner) ?? expect.fail('no scanner')
    const labels = labelsOf(scanner)
    expect(scanner.spec.template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ports: [{ containerPort: 3310 }],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    })
    const policies = manifests.filter((one): one is NetworkPolicy => one.kind === 'NetworkPolicy')
    const applied = policies.filter((policy) => selects(policy.spec.podSelector, labels))
    expect(applied.map(({ metadata }) => metadata.name).sort()).toEqual([
      'clamav-from-callers',
      'nobody',
      'signatures',
    ])
    const callers = ['file', 'worker'].map((name) => ({ 'app.kubernetes.io/name': name }))
    const specOf = (name: string) =>
      policies.find(({ metadata }) => metadata.name === name)?.spec ?? expect.fail(`no ${name}`)
    const { ingress = [] } = specOf('clamav-from-callers')
    const { egress, podSelector } = specOf('callers-to-clamav')
    for (const caller of callers) {
      expect(reaches(ingress, 'from', caller, 3310)).toBe(true)
      expect(selects(podSelector, caller)).toBe(true)
      expect(reaches(egress, 'to', labels, 3310)).toBe(true)
    }
    expect(reaches(ingress, 'from', { 'app.kubernetes.io/name': 'gateway' }, 3310)).toBe(false)
    expect(JSON.stringify(manifests)).toContain('"CLAMAV_HOST":"clamav"')
    expect(JSON.stringify(build('production'))).not.toContain('clamav')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('no secret is committed but an example that opens nothing', () => {
  const paths = listCommitted(/^k8s\/.*\.yaml$/)
  const withSecrets = paths.filter((path) => /^kind: Secret$/m.test(read(path)))
  expect(withSecrets).toEqual(['k8s/secret.example.yaml'])
  const { stringData } = parse(read('k8s/secret.example.yaml')) as {
    stringData: Record<string, string>
  }
  const opened = Object.entries(stringData).filter(([name, value]) => {
    return !/<[^>]+>/.test(value) && name !== 'redis-address'
  })
  expect(opened).toEqual([])
  expect(findManifestProblems(parse(read('k8s/secret.example.yaml')) as Manifest)).toEqual([])
})

describe.each(overlays)('kubectl kustomize k8s/overlays/%s', (overlay) => {
  const manifests = build(overlay)
  const ofKind = <T extends Manifest>(kind: string) =>
    manifests.filter((manifest): manifest is T => manifest.kind === kind)
  const deployments = ofKind<Workload>('Deployment')
  const workloads = [...deployments, ...ofKind<Workload>('Job')]
  const services = ofKind<Service>('Service')
  const policies = ofKind<NetworkPolicy>('NetworkPolicy')
  const containerOf = ({ spec }: Workload) =>
    spec.template.spec.containers[0] ?? expect.fail('no container')
  const podsOf = (selector: Selector) =>
    workloads.filter(({ spec }) => selects(selector, spec.template.metadata.labels))

  test('is what the API of a current Kubernetes takes, field by field', () => {
    expect(
      Object.fromEntries(manifests.map((one) => [nameOf(one), findManifestProblems(one)])),
    ).toEqual(Object.fromEntries(manifests.map((one) => [nameOf(one), []])))
  })

  test('stays in one namespace, which admits restricted pods alone', () => {
    const strays = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'floe',
    )
    expect(strays.map(nameOf)).toEqual([])
    expect(ofKind('Namespace')).toMatchObject([
      {
        metadata: { name: 'floe', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      },
    ])
  })

  test('runs each service as a deployment of its own, and the migrations as a job', () => {
    const run = deployments.map((one) => [one.metadata.name, environmentOf(one)['SERVICES']])
    expect(Object.fromEntries(run)).toEqual(
      Object.fromEntries(serviceNames.map((name) => [name, name])),
    )
    expect(ofKind<Workload>('Job').map((job) => containerOf(job).command)).toEqual([
      ['node', 'bin/dist/migrate.js'],
    ])
    expect(listCommitted(/^bin\/src\/migrate\.ts$/)).toHaveLength(1)
  })

  describe.each(workloads.map((one) => [nameOf(one), one] as const))('%s', (_name, workload) => {
    const { spec } = workload.spec.template

    test('has no rights but those of an ordinary user, and nothing of its own to write to', () => {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        serviceAccountName: 'floe',
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      const [runAsUser, runAsGroup] = (findStep(stages, 'floe', 'USER')?.text ?? '').split(':')
      expect(spec).toMatchObject({
        securityContext: { runAsUser: Number(runAsUser), runAsGroup: Number(runAsGroup) },
      })
      for (const container of spec.containers) {
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        })
        expect(container).not.toHaveProperty('securityContext.privileged')
        expect(container).not.toHaveProperty('securityContext.runAsUser')
      }
      expect(spec).not.toHaveProperty('hostNetwork')
      const sources = spec.volumes.map((volume) => Object.keys(volume).sort().join(' '))
      expect(sources.sort()).toEqual(['emptyDir name', 'name secret'])
      const mounted = spec.containers.flatMap((one) => one.volumeMounts.map(({ name }) => name))
      expect(mounted.sort()).toEqual(spec.volumes.map(({ name }) => name).sort())
    })

    test('asks for what it needs and is held to a bound', () => {
      for (const { resources } of spec.containers) {
        for (const bound of [resources.requests, resources.limits]) {
          expect(bound.cpu).toMatch(/^\d+m?$/)
          expect(bound.memory).toMatch(/^\d+[MG]i$/)
        }
      }
    })

    test('runs this release, and no image that changes behind its back', () => {
      const tags = spec.containers.map(({ image }) => image.split(':').at(-1))
      expect(tags).toEqual(spec.containers.map(() => RELEASE_TAG))
    })

    test('has an environment that Floe knows and can start with', () => {
      const environment = environmentOf(workload)
      const unknown = Object.keys(environment).filter((name) => !environmentNames.includes(name))
      expect(unknown).toEqual([])
      const secrets = Object.entries(environment).filter(([, value]) =>
        value.startsWith('/secrets/'),
      )
      const { stringData } = parse(read('k8s/secret.example.yaml')) as {
        stringData: Record<string, string>
      }
      const given = Object.fromEntries(
        secrets.map(([name, path]) => [
          name.replace('_FILE', ''),
          // As an operator would write it.
          stringData[path.replace('/secrets/', '')]?.replace(/<[^>]*>/, 'filled-in-by-somebody'),
        ]),
      )
      const rest = Object.entries(environment).filter(
        ([name]) => !(name.replace('_FILE', '') in given),
      )
      const result = readEnvironment({ ...Object.fromEntries(rest), ...given })
      expect(result).not.toHaveProperty('problems')
      expect(result).toMatchObject({ environment: { s3: { bucket: 'floe' } } })
    })
  })

  describe.each(deployments.map((one) => [one.metadata.name, one] as const))(
    'the deployment %s',
    (name, deployment) => {
      const { spec } = deployment
      const container = containerOf(deployment)

      test('is asked whether it lives, whether it is ready, and given time to start', () => {
        const { startupProbe, readinessProbe, livenessProbe } = container
        expect(livenessProbe.httpGet.path).toBe(routes.healthLive.path)
        expect(readinessProbe.httpGet.path).toBe(routes.healthReady.path)
        expect(startupProbe.httpGet.path).toBe(routes.healthLive.path)
        expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThan(120)
        const ports = new Set(
          [startupProbe, readinessProbe, livenessProbe].map((p) => p.httpGet.port),
        )
        expect([...ports]).toEqual(container.ports?.map((port) => port.name))
      })

      test('is replaced without a gap, and its transfers get time to end', () => {
        expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
        const { readinessProbe, lifecycle } = container
        const wait = lifecycle.preStop.sleep.seconds
        expect(wait).toBeGreaterThan(readinessProbe.periodSeconds * readinessProbe.failureThreshold)
        expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
          wait + STOP_SECONDS + 5,
        )
      })

      test('selects its own pods alone, as does the budget of disruptions', () => {
        expect(podsOf(spec.selector).map(nameOf)).toEqual([nameOf(deployment)])
        const budgets = ofKind<Workload>('PodDisruptionBudget').filter(({ spec: { selector } }) =>
          selects(selector, spec.template.metadata.labels),
        )
        expect(budgets.map(({ metadata }) => metadata.name)).toEqual([name])
      })
    },
  )

  test('scales what it says it scales, and nothing says so twice', () => {
    interface Scaler extends Manifest {
      spec: { scaleTargetRef: { name: string }; minReplicas?: number; minReplicaCount?: number }
    }
    const scalers = [
      ...ofKind<Scaler>('HorizontalPodAutoscaler'),
      ...ofKind<Scaler>('ScaledObject'),
    ]
    const targets = scalers.map(({ spec }) => spec.scaleTargetRef.name).sort()
    const expected = {
      small: [],
      production: ['file', 'gateway'],
      keda: ['file', 'gateway', 'worker'],
    }
    expect(targets).toEqual(expected[overlay as keyof typeof expected])
    for (const { metadata, spec } of deployments) {
      const isScaled = targets.includes(metadata.name)
      expect(spec.replicas).toBe(isScaled || overlay === 'small' ? undefined : 2)
    }
    for (const { spec } of scalers) expect(spec.minReplicas ?? spec.minReplicaCount).toBe(2)
  })

  test('has a service wherever an address or the ingress leads, and a pod behind it', () => {
    for (const { metadata, spec } of services) {
      const pods = podsOf({ matchLabels: spec.selector })
      expect(pods.map((pod) => pod.metadata.name)).toEqual([metadata.name])
      const ports = pods.flatMap((pod) => containerOf(pod).ports ?? [])
      expect(ports.map(({ name }) => name)).toEqual(spec.ports.map(({ targetPort }) => targetPort))
      expect(ports.map(({ containerPort }) => containerPort)).toEqual([3000])
    }
    const environment = environmentOf(deployments[0] ?? expect.fail('no deployment'))
    const urls = Object.entries(environment).filter(([name]) =>
      /^(?:AUTH|SHARE|FILE|ADMIN)_URL$/.test(name),
    )
    expect(urls).toHaveLength(4)
    for (const [name, value] of urls) {
      const { hostname, port } = new URL(value)
      expect(`${hostname.toUpperCase()}_URL`).toBe(name)
      const service = services.find(({ metadata }) => metadata.name === hostname)
      expect(service?.spec.ports.map((one) => String(one.port))).toEqual([port])
    }
    const backends = JSON.stringify(ofKind('Ingress')).match(/(?<="service":)\{.*?\}\}/g)
    expect(backends).toEqual(['{"name":"gateway","port":{"name":"http"}}'])
  })

  test('lets uploads of any size and length through the ingress as they come', () => {
    const [ingress, ...others] = ofKind('Ingress')
    expect(others).toEqual([])
    const annotations = ingress?.metadata.annotations ?? {}
    expect(annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-body-size': '0',
      'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
    })
    for (const direction of ['read', 'send']) {
      const seconds = annotations[`nginx.ingress.kubernetes.io/proxy-${direction}-timeout`]
      expect(Number(seconds)).toBeGreaterThanOrEqual(600)
    }
  })

  test('forbids every connection but those that are needed, and allows these', () => {
    const everybody = policies.find(({ metadata }) => metadata.name === 'nobody')
    expect(everybody?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })

    const calls = listCalls()
    const isAllowed = (from: Workload, to: Workload) =>
      policies.some(
        ({ spec }) =>
          selects(spec.podSelector, labelsOf(from)) && reaches(spec.egress, 'to', labelsOf(to)),
      ) &&
      policies.some(
        ({ spec }) =>
          selects(spec.podSelector, labelsOf(to)) && reaches(spec.ingress, 'from', labelsOf(from)),
      )
    const allowed = deployments.flatMap((from) =>
      deployments
        .filter((to) => to !== from && isAllowed(from, to))
        .map((to) => `${from.metadata.name} → ${to.metadata.name}`),
    )
    expect(allowed.sort()).toEqual(calls.sort())
  })

  test('lets everything reach names and stores, some of it mail and providers, and the ingress the gateway', () => {
    const portsFrom = (one: Workload) =>
      new Set(
        policies
          .filter(({ spec }) => selects(spec.podSelector, labelsOf(one)))
          .flatMap(({ spec }) => spec.egress ?? [])
          .flatMap(({ ports = [] }) => ports.map(({ port }) => port)),
      )
    for (const one of workloads) {
      expect([...portsFrom(one)]).toEqual(expect.arrayContaining([53, 5432, 6379, 443, 9000]))
      const sendsMail = ['auth', 'admin', 'worker'].includes(one.metadata.name)
      expect(portsFrom(one).has(587), one.metadata.name).toBe(sendsMail)
    }
    const fromOutside = policies.filter(({ spec }) =>
      (spec.ingress ?? []).some(({ from = [] }) => from.some((peer) => peer.namespaceSelector)),
    )
    expect(fromOutside.map(({ spec }) => spec.podSelector)).toEqual([
      { matchLabels: { 'app.kubernetes.io/name': 'gateway' } },
    ])
  })

  /** Of the configuration that is not secret, and of the container itself. */
  function environmentOf(workload: Workload): Record<string, string> {
    const { envFrom, env } = containerOf(workload)
    const maps = envFrom.map(({ configMapRef }) => {
      const map = manifests.find(
        ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name,
      ) as (Manifest & { data: Record<string, string> }) | undefined
      return map?.data ?? expect.fail(`no ConfigMap ${configMapRef.name}`)
    })
    const own = env.map(({ name, value }) => [name, value] as const)
    return Object.assign({}, ...maps, Object.fromEntries(own)) as Record<string, string>
  }
})

/** Who calls whom, as the definitions of the services say; the gateway calls them all. */
function listCalls(): string[] {
  const owners = ['auth', 'share', 'file', 'admin']
  const between = owners.flatMap((name) => {
    const [, needs = ''] = /\bneeds: \[([^\]]*)\]/.exec(read(`services/${name}/src/index.ts`)) ?? []
    return [...needs.matchAll(/'(\w+)'/g)].map(([, needed]) => `${name} → ${needed}`)
  })
  return [...owners.map((name) => `gateway → ${name}`), ...between]
}

function labelsOf({ spec }: Workload): Record<string, string> {
  return spec.template.metadata.labels
}

function reaches(
  rules: readonly { from?: Peer[]; to?: Peer[]; ports?: { port: number }[] }[] | undefined,
  side: 'from' | 'to',
  labels: Record<string, string>,
  wanted = 3000,
): boolean {
  return (rules ?? []).some(
    ({ ports, ...rule }) =>
      (ports ?? []).some(({ port }) => port === wanted) &&
      (rule[side] ?? []).some(
        ({ podSelector, namespaceSelector }) =>
          namespaceSelector === undefined && podSelector && selects(podSelector, labels),
      ),
  )
}

function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Record<string, string>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      expect(operator).toBe('In')
      return values.includes(labels[key] ?? '')
    })
  )
}

function build(overlay: string): Manifest[] {
  return render(join(root, 'k8s', 'overlays', overlay))
}
