import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { REPO } from '../docs/follow.ts'

const CHART = join(REPO, 'deploy/helm/filigree')
const EXAMPLES = join(REPO, 'deploy/helm/examples')
/** The one of this machine, or the one that `scripts/lib/helm.mjs` fetched. */
const HELM = ['helm', process.env.FILIGREE_TEST_HELM ?? join(homedir(), '.cache', 'filigree-helm', 'helm')].find(
  program => spawnSync(program, ['version']).status === 0,
)
const read = (path: string) => readFileSync(join(REPO, path), 'utf8')

/** What the Dockerfile says. */
const VOLUMES: string[] = JSON.parse(/^VOLUME (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]')
const VARIABLES = ['TZ', 'UMASK', 'PGPASSWORD', ...(read('docs/configuration.md').match(/\bFILIGREE_\w+/g) ?? [])]

/** The documents of a release by their kinds. */
type Rendered = Record<string, ReturnType<typeof parse>>

const example = (name: string) => ['--values', join(EXAMPLES, name)]
const set = (...settings: string[]) => settings.flatMap(setting => ['--set', setting])

function render(...options: string[]): Rendered {
  const text = execFileSync(HELM ?? '', ['template', 'home', CHART, ...options], { encoding: 'utf8' })
  const things = parseAllDocuments(text, { strict: true }).map(document => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  expect(things.map(({ metadata }) => metadata.name)).toEqual(things.map(() => 'home-filigree'))
  return Object.fromEntries(things.map(thing => [thing.kind, thing]))
}

/** Why the chart refuses values. */
function refusal(...options: string[]): string {
  const { status, stderr } = spawnSync(HELM ?? '', ['template', 'home', CHART, ...options], { encoding: 'utf8' })
  expect(status).not.toBe(0)
  return stderr
}

function podOf({ Deployment }: Rendered) {
  const { metadata, spec } = Deployment.spec.template
  expect(metadata.labels).toMatchObject(Deployment.spec.selector.matchLabels)
  expect(spec.containers).toHaveLength(1)
  const [container] = spec.containers
  const variables = container.env.map(({ name, value }: { name: string; value: string }) => [name, value])
  return { spec, container, variables: Object.fromEntries(variables) }
}

/** Where a folder of the container is kept: the kind of its volume, and the claim or nothing. */
function placesOf(rendered: Rendered): Record<string, string> {
  const { spec, container } = podOf(rendered)
  const kept = Object.fromEntries(
    spec.volumes.map((volume: { name: string; persistentVolumeClaim?: { claimName: string } }) => [
      volume.name,
      volume.persistentVolumeClaim?.claimName ?? 'scratch',
    ]),
  )
  const mounts: { name: string; mountPath: string; subPath?: string }[] = container.volumeMounts
  return Object.fromEntries(
    mounts.map(({ name, mountPath, subPath = '' }) => [mountPath, `${kept[name]}/${subPath}`] as const),
  )
}

describe.skipIf(HELM === undefined)('the chart for Kubernetes', () => {
  const values = [{ of: 'its own', options: [] }, ...readdirSync(EXAMPLES).map(of => ({ of, options: example(of) }))]

  test.each(values)('is linted without a complaint, with the values of $of', ({ options }) => {
    const said = execFileSync(HELM ?? '', ['lint', '--strict', CHART, ...options], { encoding: 'utf8' })
    expect(said).toContain('1 chart(s) linted, 0 chart(s) failed')
    expect(said).not.toMatch(/WARNING|ERROR/)
  })

  test.each(values)('closes the container, with the values of $of', ({ options }) => {
    const { spec, container, variables } = podOf(render(...options))
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 })
    expect(spec.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    // Kubernetes would give FILIGREE_PORT=tcp://… to pods when a service has this name.
    expect(spec).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false })
    expect(container.resources).toMatchObject({ requests: { cpu: '100m' }, limits: { memory: '1Gi' } })
    expect(Object.keys(variables).filter(name => !VARIABLES.includes(name))).toEqual([])
  })

  test('has the volumes of the image, and a port that every user may listen on, for the service and the probes', () => {
    const rendered = render()
    const { container, variables } = podOf(rendered)
    expect(placesOf(rendered)).toEqual({
      ...Object.fromEntries(VOLUMES.map(path => [path, `home-filigree${path === '/srv' ? '/files' : path}`])),
      '/tmp': 'scratch/tmp',
    })
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(variables.FILIGREE_PORT) }])
    expect(Number(variables.FILIGREE_PORT)).toBeGreaterThan(1024)
    expect(rendered.Service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(name => container[name].httpGet)
    expect(probes.map(({ path }) => path)).toEqual(['/health', '/health', '/health/ready'])
    expect(probes.map(({ port }) => port)).toEqual(['http', 'http', 'http'])
  })

  test('keeps SQLite, settings and files in one claim, which stays, and never runs two servers on it', () => {
    const { Deployment, PersistentVolumeClaim: claim, ...others } = render(...example('one-volume.yaml'))
    expect(Deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    expect(claim.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' })
    expect(claim.spec).toEqual({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '100Gi' } } })
    expect(Object.keys(others)).toEqual(['Service', 'Ingress'])
  })

  test('runs several servers with PostgreSQL and a bucket, without a claim, and with credentials from a secret', () => {
    const rendered = render(...example('several-servers.yaml'))
    const { container, variables } = podOf(rendered)
    expect(rendered.Deployment.spec).toMatchObject({ replicas: 3, strategy: { type: 'RollingUpdate' } })
    expect(rendered.PodDisruptionBudget.spec.maxUnavailable).toBe(1)
    expect(rendered.PersistentVolumeClaim).toBeUndefined()
    expect(variables).toMatchObject({
      FILIGREE_DATABASE: 'postgres://filigree@postgres.example.org/filigree',
      FILIGREE_ROOT: 's3://files/team?endpoint=https://s3.example.org&region=eu-1',
    })
    expect(container.envFrom).toEqual([{ secretRef: { name: 'filigree' } }])
    expect(placesOf(rendered)).toEqual({
      '/database': 'scratch/database',
      '/config': 'scratch/config',
      '/tmp': 'scratch/tmp',
    })
  })

  test('serves the files of a claim of its own, next to the volume or with PostgreSQL', () => {
    const files = set('files.existingClaim=shared', 'files.subPath=team')
    expect(placesOf(render(...files))).toMatchObject({ '/srv': 'shared/team', '/database': 'home-filigree/database' })
    const servers = set('replicas=2', 'database.url=postgres://f@db/f', 'existingSecret=keys')
    expect(placesOf(render(...files, ...servers))).toMatchObject({
      '/srv': 'shared/team',
      '/database': 'scratch/database',
    })
  })

  test('an ingress has the host, its certificate and the service, and a prefix that the server and the probes know', () => {
    const prefix = set('ingress.path=/files/')
    const rendered = render(...example('one-volume.yaml'), ...prefix)
    const { container, variables } = podOf(rendered)
    const { tls, rules } = rendered.Ingress.spec
    expect(tls).toEqual([{ hosts: ['files.example.org'], secretName: 'files-example-org' }])
    expect(rules[0].http.paths).toEqual([
      {
        path: '/files/',
        pathType: 'Prefix',
        backend: { service: { name: rendered.Service.metadata.name, port: { name: 'http' } } },
      },
    ])
    expect(rendered.Ingress.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-body-size': '0',
    })
    expect(variables).toMatchObject({ FILIGREE_BASE_URL: '/files', FILIGREE_TRUSTED_PROXIES: '10.244.0.0/16' })
    expect(container.livenessProbe.httpGet.path).toBe('/files/health')
  })

  test('values that could not work are refused with what to change', () => {
    const servers = set('replicas=2', 'existingSecret=keys')
    expect(refusal(...servers)).toContain('set database.url')
    expect(refusal(...servers, ...set('database.url=postgres://f@db/f'))).toContain('set files.bucket, or files.')
    expect(refusal(...set('files.bucket=s3://b'))).toContain('set existingSecret')
    expect(refusal(...set('files.bucket=s3://b', 'files.existingClaim=c'))).toContain('not both')
    expect(refusal(...set('ingress.enabled=true'))).toContain('set trustedProxies')
    expect(refusal(...set('replica=2'))).toContain('Additional property replica is not allowed')
    expect(refusal(...set('database.url=mysql://db'))).toContain('database.url')
  })
})

test('the chart has the version of this project, and the image that `docker build -t filigree` makes', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(parse(read('deploy/helm/filigree/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  expect(parse(read('deploy/helm/filigree/values.yaml')).image).toMatchObject({ repository: 'filigree', tag: '' })
})
