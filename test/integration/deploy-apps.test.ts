import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Window } from 'happy-dom'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { REPO } from '../docs/follow.ts'

const read = (path: string) => readFileSync(join(REPO, path), 'utf8')
const yaml = (path: string) => parse(read(`deploy/apps/${path}`), { strict: true })

/** What the Dockerfile says. */
const DOCKERFILE = read('Dockerfile')
const PORT = Number(/^EXPOSE (\d+)$/m.exec(DOCKERFILE)?.[1])
const VOLUMES: string[] = JSON.parse(/^VOLUME (.*)$/m.exec(DOCKERFILE)?.[1] ?? '[]')
/** Those of the entry point of the image, and those of settings. */
const VARIABLES = [
  ...['PUID', 'PGID', 'UMASK', 'TZ'],
  ...(read('docs/configuration.md').match(/\bFILIGREE_\w+/g) ?? []),
]

/** What a template gives to the container. */
interface Given {
  port: number
  volumes: string[]
  variables: string[]
  /** The rights of the container, as Docker names them. */
  rights: { closed: boolean; added: string[]; user?: string }
}

interface Service {
  image: string
  user?: string
  ports?: (string | { target: number })[]
  volumes: (string | { target: string })[]
  environment: Record<string, string>
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
}

function ofService(service: Service, port = service.ports?.[0]): Given {
  const { read_only: readOnly, tmpfs, cap_drop: dropped, cap_add: added = [], security_opt: options } = service
  const closed = { readOnly, tmpfs, dropped, options }
  return {
    port: typeof port === 'object' ? port.target : Number(port?.split(':').at(-1)),
    volumes: service.volumes.map(volume => (typeof volume === 'string' ? (volume.split(':')[1] ?? '') : volume.target)),
    variables: Object.keys(service.environment),
    rights: {
      closed:
        JSON.stringify(closed) ===
        '{"readOnly":true,"tmpfs":["/tmp"],"dropped":["ALL"],"options":["no-new-privileges:true"]}',
      added,
      ...(service.user !== undefined && { user: service.user }),
    },
  }
}

function ofUnraid(): Given {
  const page = new new Window().DOMParser().parseFromString(read('deploy/apps/unraid/filigree.xml'), 'text/xml')
  expect(page.querySelector('parsererror')).toBeNull()
  const targets = (type: string) =>
    [...page.querySelectorAll(`Config[Type="${type}"]`)].map(entry => entry.getAttribute('Target') ?? '')
  expect(page.querySelector('WebUI')?.textContent).toBe(`http://[IP]:[PORT:${PORT}]/`)
  const extra = page.querySelector('ExtraParams')?.textContent ?? ''
  return {
    port: Number(targets('Port')[0]),
    volumes: targets('Path'),
    variables: targets('Variable'),
    rights: {
      closed: extra.startsWith('--read-only --tmpfs /tmp --cap-drop=ALL ') && extra.includes('no-new-privileges:true'),
      added: [...extra.matchAll(/--cap-add=(\w+)/g)].map(([, name = '']) => name),
    },
  }
}

const TEMPLATES: Record<string, () => Given> = {
  unraid: ofUnraid,
  casaos: () => {
    const { services, 'x-casaos': about } = yaml('casaos/docker-compose.yml')
    expect(Object.keys(services)).toEqual([about.main])
    expect(services[about.main].ports[0].published).toBe(about.port_map)
    return ofService(services[about.main])
  },
  truenas: () => ofService(yaml('truenas/compose.yaml').services.filigree),
  umbrel: () => {
    const { id, port } = yaml('umbrel/umbrel-app.yml')
    const { services } = yaml('umbrel/docker-compose.yml')
    expect(port).toBeGreaterThan(1024)
    expect(services.app_proxy.environment.APP_HOST).toBe(`${id}_server_1`)
    return ofService(services.server, String(services.app_proxy.environment.APP_PORT))
  },
}

const SWITCH = ['CHOWN', 'SETGID', 'SETUID']

test.each(Object.keys(TEMPLATES))(
  'the template for %s has the port and the volumes of the image, variables that it knows, and a closed container',
  name => {
    const { port, volumes, variables, rights } = TEMPLATES[name]?.() ?? expect.unreachable()
    expect(port).toBe(PORT)
    expect(volumes).toEqual(VOLUMES)
    expect(variables.filter(variable => !VARIABLES.includes(variable))).toEqual([])
    // A container that starts as a user needs no capability; root needs three to become one.
    expect(rights).toEqual(
      rights.user === undefined ? { closed: true, added: SWITCH } : { closed: true, added: [], user: rights.user },
    )
  },
)

const ADD_ONS = ['home-assistant', 'home-assistant-ingress']

test('the add-on of Home Assistant has the port of the image, or its ingress has', () => {
  const { ports, webui, ...others } = yaml('home-assistant/config.yaml')
  expect(Object.keys(ports)).toEqual([`${PORT}/tcp`])
  expect(webui).toContain(`[PORT:${PORT}]`)
  expect(others).not.toHaveProperty('ingress')
  const inside = yaml('home-assistant-ingress/config.yaml')
  expect(inside).toMatchObject({ ingress: true, ingress_port: PORT, ingress_stream: true })
  expect(inside).not.toHaveProperty('ports')
})

test.each(ADD_ONS)('the add-on of %s has the volumes of the image, and serves a folder that it maps', name => {
  const { map, environment } = yaml(`${name}/config.yaml`)
  const places = map.map(({ type, path = `/${type}` }: { type: string; path?: string }) => path)
  expect(places).toContain(environment.FILIGREE_ROOT)
  expect(VOLUMES.filter(volume => volume !== '/srv' && !places.includes(volume))).toEqual([])
  expect(Object.keys(environment).filter(variable => !VARIABLES.includes(variable))).toEqual([])
})

test('each template is tested, and all name the version and the image of this project', () => {
  const folders = readdirSync(join(REPO, 'deploy/apps')).filter(name => !name.endsWith('.md'))
  expect(folders).toEqual([...Object.keys(TEMPLATES), ...ADD_ONS].sort())
  const { version } = JSON.parse(read('package.json'))
  for (const path of ['umbrel/umbrel-app.yml', ...ADD_ONS.map(name => `${name}/config.yaml`)])
    expect(yaml(path).version, path).toBe(version)
  const texts = readdirSync(join(REPO, 'deploy/apps'), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(?:ya?ml|xml)$/.test(name))
    .map(name => read(`deploy/apps/${name}`))
  const images = texts.flatMap(text => [...text.matchAll(/(?:image: |<Repository>)(\S+?)(?:<|\n)/g)])
  expect([...new Set(images.map(([, image]) => image))]).toEqual(['filigree'])
})
