/** Every document of both overlays: known to Kubernetes, and held to our rules. */
import {
  OVERLAYS,
  readOverlay,
  workloadsOf,
  type Container,
  type Document,
  type Workload,
} from './documents.ts'
import { findSchemaViolations } from './schema-violations.ts'
import { findUnknownFields } from './unknown-fields.ts'

const idOf = ({ kind, metadata }: Document): string => `${kind} ${metadata.name}`

interface Policy {
  readonly podSelector: Selector
  readonly policyTypes: readonly string[]
  readonly ingress?: readonly {
    readonly from?: readonly { readonly podSelector?: Selector }[]
    readonly ports?: readonly { readonly port: number | string }[]
  }[]
  readonly egress?: readonly {
    readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[]
    readonly ports?: readonly unknown[]
  }[]
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[]
}

const selects = (
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Readonly<Record<string, string>>,
): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))

describe.each(OVERLAYS)('the overlay %s', (overlay) => {
  const documents = readOverlay(overlay)
  const workloads = workloadsOf(documents)
  const containers = workloads.flatMap((workload) =>
    [...workload.pod.containers, ...(workload.pod.initContainers ?? [])].map((container) => ({
      title: `${workload.kind} ${workload.name}, container ${container.name}`,
      workload,
      container,
    })),
  )
  const ofKind = (kind: string): readonly Document[] => documents.filter((document) => document.kind === kind)

  it('has all that is meant to be there', () => {
    const deployments = ofKind('Deployment').map(({ metadata }) => metadata.name)
    expect(deployments.toSorted()).toEqual(['auth', 'console', 'core', 'gateway', 'metrics'])
    expect(
      ofKind('Job')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(['migrate-auth', 'migrate-core', 'migrate-metrics'])
    for (const kind of ['PodDisruptionBudget', 'HorizontalPodAutoscaler'])
      expect(
        ofKind(kind)
          .map(({ metadata }) => metadata.name)
          .toSorted(),
      ).toEqual(deployments.toSorted())
  })

  describe.each(documents.map((document) => ({ id: idOf(document), document })))('$id', ({ document }) => {
    it('has no field that Kubernetes does not know', () => {
      expect(findUnknownFields(document)).toEqual([])
    })

    it('is what its published schema asks for', async () => {
      expect(await findSchemaViolations(document)).toEqual([])
    })

    it('is in the namespace', () => {
      expect(document.metadata.namespace).toBe(document.kind === 'Namespace' ? undefined : 'merx')
    })
  })

  describe.each(containers)(
    '$title',
    ({ workload, container }: { workload: Workload; container: Container }) => {
      it('asks for and is held to memory and CPU', () => {
        expect(Object.keys(container.resources?.requests ?? {}).toSorted()).toEqual(['cpu', 'memory'])
        expect(Object.keys(container.resources?.limits ?? {}).toSorted()).toEqual(['cpu', 'memory'])
      })

      it('fits the restricted Pod Security Standard, on a file system it cannot write', () => {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(workload.pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        })
        expect(workload.pod.securityContext?.['runAsUser']).toBeGreaterThan(0)
      })

      it('is pinned to a version', () => {
        expect(container.image).toMatch(/(:[\w.-]*\d[\w.-]*|@sha256:[\da-f]{64})$/)
        expect(container.image).not.toMatch(/:latest$/)
      })

      it('holds no secret in its environment', () => {
        for (const { name, value } of container.env ?? []) {
          if (/SECRET|PASSWORD|KEY|DATABASE_URL|CLICKHOUSE_URL/.test(name)) expect(name).toMatch(/_FILE$/)
          expect(value ?? '').not.toMatch(/:\/\/[^/]*:[^/]*@/)
        }
      })

      it('mounts only volumes that the pod has', () => {
        const templates = documents.flatMap(
          ({ spec }) => (spec?.['volumeClaimTemplates'] ?? []) as Document[],
        )
        const volumes = [
          ...(workload.pod.volumes ?? []).map(({ name }) => name),
          ...templates.map(({ metadata }) => metadata.name),
        ]
        for (const { name } of container.volumeMounts ?? []) expect(volumes).toContain(name)
      })

      if (workload.kind !== 'Job') {
        it('has probes for startup, liveness and readiness', () => {
          for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
            expect(probe).toEqual(expect.any(Object))
        })
      }
    },
  )

  describe.each(workloads)('the pods of $kind $name', (workload) => {
    it('get no key to the cluster', () => {
      expect(workload.pod.automountServiceAccountToken).toBe(false)
    })

    if (workload.kind === 'Deployment') {
      it('are spread over zones and machines', () => {
        expect(workload.pod.topologySpreadConstraints).toHaveLength(2)
      })

      it('are never all taken away at once', () => {
        const budgets = ofKind('PodDisruptionBudget').filter(({ spec }) =>
          selects(spec?.['selector'] as Selector, workload.labels),
        )
        expect(budgets).toHaveLength(1)
        if (overlay === 'prod') expect(workload.replicas).toBeGreaterThan(1)
      })
    }
  })

  describe('network policies', () => {
    const policies = ofKind('NetworkPolicy').map(({ metadata, spec }) => ({
      name: metadata.name,
      spec: spec as unknown as Policy,
    }))

    it('deny everything that is not allowed', () => {
      const deny = policies.find(({ name }) => name === 'default-deny')
      expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    })

    it('let every pod ask for names, and have something else to say of each', () => {
      for (const { labels } of workloads) {
        const own = policies.filter(({ spec }) => selects(spec.podSelector, labels)).map(({ name }) => name)
        expect(own).toContain('names')
        expect(own.length).toBeGreaterThan(2)
      }
    })

    it('let no pod out to the world', () => {
      const networks = policies.flatMap(({ spec }) =>
        (spec.egress ?? []).flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock?.cidr ?? [])),
      )
      expect(networks.filter((cidr) => cidr.endsWith('/0'))).toEqual([])
    })

    it('say a port with every permission', () => {
      for (const { spec } of policies)
        for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
          expect(rule.ports?.length).toBeGreaterThan(0)
    })

    it('keep the admin ports from the gateway', () => {
      const gateway = workloads.find(({ name }) => name === 'gateway')
      if (gateway === undefined) throw new Error('there is no gateway')
      const reachable = policies
        .filter(({ spec }) =>
          ['auth', 'core', 'metrics', 'console'].some(
            (name) => spec.podSelector.matchLabels?.['app.kubernetes.io/name'] === name,
          ),
        )
        .flatMap(({ spec }) => spec.ingress ?? [])
        .filter(({ from = [] }) =>
          from.some(({ podSelector }) => podSelector !== undefined && selects(podSelector, gateway.labels)),
        )
        .flatMap(({ ports = [] }) => ports.map(({ port }) => port))
      expect(new Set(reachable)).toEqual(new Set(['http']))
    })
  })

  it('every service finds pods and every port of it a port of theirs', () => {
    for (const service of ofKind('Service')) {
      const selector = service.spec?.['selector'] as Readonly<Record<string, string>>
      const [target] = workloads.filter(
        ({ labels, kind }) => kind !== 'Job' && selects({ matchLabels: selector }, labels),
      )
      expect({ service: service.metadata.name, found: target !== undefined }).toMatchObject({ found: true })
      const names = target?.pod.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))
      for (const { targetPort } of service.spec?.['ports'] as { targetPort: string }[])
        expect(names).toContain(targetPort)
    }
  })

  it('every ConfigMap that is named exists; secrets are only named', () => {
    const maps = new Set(ofKind('ConfigMap').map(({ metadata }) => metadata.name))
    const text = JSON.stringify(workloads.map(({ pod }) => pod))
    const named = [...text.matchAll(/"(?:configMapRef|configMap)":\{[^}]*"name":"([^"]+)"/g)].map(
      ([, name]) => name ?? '',
    )
    expect(named.length).toBeGreaterThan(4)
    for (const name of named) expect(maps).toContain(name)
    expect(ofKind('Secret')).toEqual([])
  })

  it('the gateway has the configuration that is tested, whole', () => {
    const files = ofKind('ConfigMap').find(({ metadata }) => /^gateway-[a-z\d]{10}$/.test(metadata.name))
    expect(Object.keys(files?.data ?? {}).toSorted()).toEqual([
      'answer-locations.conf',
      'answers.conf',
      'nginx.conf.template',
      'route.conf',
      'start.sh',
    ])
  })
})

describe('in production', () => {
  const settings = readOverlay('prod').find(({ metadata }) => metadata.name === 'gateway-settings')?.data

  it('the gateway answers over TLS only, names of the domain only, and believes the ingress', () => {
    expect(settings).toMatchObject({ GATEWAY_HTTP: 'secure', GATEWAY_OTHER_HOSTS: 'refuse' })
    expect(settings?.['GATEWAY_TRUSTED_HOPS']).toMatch(/^[\d.]+\/\d+$/)
    expect(settings?.['GATEWAY_HSTS']).toMatch(/^max-age=\d{8}/)
  })
})

describe('the checks themselves', () => {
  const good = readOverlay('prod').find(({ kind }) => kind === 'Deployment')
  const damaged = (change: object): Document => ({
    ...(good as Document),
    spec: { ...good?.spec, ...change },
  })

  it('find a field that does not exist', () => {
    expect(findUnknownFields(damaged({ replicaCount: 2 }))).toEqual([
      expect.stringMatching(/^\/spec\/replicaCount: there is no such field; allowed: .*replicas/),
    ])
  })

  it('find a value of another type, and a field that is missing', async () => {
    expect(findUnknownFields(damaged({ replicas: '2' }))).toEqual(['/spec/replicas: is no number'])
    expect(await findSchemaViolations(damaged({ replicas: '2' }))).toEqual([
      'data/spec/replicas must be integer',
    ])
    expect((await findSchemaViolations(damaged({ selector: undefined }))).join()).toContain(
      'required property selector',
    )
  })

  it('find a kind that does not exist', () => {
    const document = { apiVersion: 'apps/v1', kind: 'Deploymint', metadata: { name: 'x' } }
    expect(findUnknownFields(document)).toEqual(['there is no Deploymint in apps/v1'])
  })
})
