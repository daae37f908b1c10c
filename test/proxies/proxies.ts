import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const RECIPES = fileURLToPath(new URL('../../docs/proxies/', import.meta.url))
/** The path under which the recipes serve Filigree. */
export const PREFIX = '/filigree'
/** Milliseconds that a proxy may take to listen. */
const PATIENCE = 20_000

/** How the prefix is passed on to the server. */
export const WAYS = ['kept', 'stripped'] as const
export type ProbeTarget = (typeof WAYS)[number]

/**
 * Features of a recipe that many installations lack: WebSockets, and responses that take more than a minute, for which
 * a proxy keeps its default timeout.
 */
export type Hurdle = 'sockets' | 'patience'

/** Texts of a recipe, and their replacements. */
type Changes = readonly (readonly [mark: string, here: string])[]

/** The set-up of a proxy for a test. */
interface Place {
  /** A folder of its own. */
  home: string
  port: number
  /** The recipe, laid out for this place. */
  recipe: string
}

interface Program {
  command: string
  /** Checks that it runs. */
  probe: readonly string[]
  recipe: string
  /** The `listen` lines of the recipe, and the same for a port of this machine. */
  listen: [marker: string, here: (port: number) => string]
  hurdles: Readonly<Record<Hurdle, Changes>>
  /** The configuration that a distribution has around such a recipe. */
  surroundings(place: Place): string
  args(place: Place, surroundings: string): string[]
}

const NGINX_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
const APACHE_MODULES = [
  'mpm_event',
  'authz_core',
  'alias',
  'headers',
  'ssl',
  'http2',
  'proxy',
  'proxy_http',
  'reqtimeout',
]

const PROGRAMS = {
  nginx: {
    command: 'nginx',
    probe: ['-v'],
    recipe: 'nginx.conf',
    listen: ['listen 443 ', port => `listen 127.0.0.1:${port} `],
    hurdles: {
      sockets: [
        ['proxy_set_header Upgrade $http_upgrade;', ''],
        ['proxy_set_header Connection $filigree_connection;', ''],
      ],
      patience: [
        ['proxy_send_timeout 1h;', ''],
        ['proxy_read_timeout 1h;', ''],
        ['proxy_buffering off;', ''],
      ],
    },
    surroundings: ({ home, recipe }) =>
      [
        'daemon off;',
        `pid ${home}/pid;`,
        'events {}',
        'http {',
        'access_log off;',
        ...NGINX_FOLDERS.map(name => `${name}_temp_path ${home}/${name};`),
        `include ${recipe};`,
        '}',
      ].join('\n'),
    args: ({ home }, surroundings) => ['-p', home, '-c', surroundings, '-e', join(home, 'error.log')],
  },
  Caddy: {
    command: 'caddy',
    probe: ['version'],
    recipe: 'Caddyfile',
    listen: ['files.example.org {', port => `https://127.0.0.1:${port} {`],
    // It has no timeout.
    hurdles: { sockets: [['redir /filigree ', 'request_header -Upgrade\n\tredir /filigree ']], patience: [] },
    surroundings: ({ home, recipe }) =>
      `{\nadmin off\nauto_https disable_redirects\nstorage file_system ${home}/state\n}\nimport ${recipe}\n`,
    args: (_place, surroundings) => ['run', '--adapter', 'caddyfile', '--config', surroundings],
  },
  Apache: {
    command: 'apache2',
    probe: ['-v'],
    recipe: 'apache.conf',
    listen: ['*:443', port => `127.0.0.1:${port}`],
    hurdles: {
      sockets: [[' upgrade=websocket', '']],
      patience: [
        ['ProxyTimeout 3600', ''],
        [' flushpackets=on', ''],
      ],
    },
    surroundings: ({ home, port, recipe }) =>
      [
        `ServerRoot ${home}`,
        `DefaultRuntimeDir ${home}`,
        `PidFile ${home}/pid`,
        `ErrorLog ${home}/error.log`,
        'ServerName files.example.org',
        ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
        ...APACHE_MODULES.map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        `Listen 127.0.0.1:${port}`,
        `Include ${recipe}`,
      ].join('\n'),
    args: (_place, surroundings) => ['-D', 'FOREGROUND', '-f', surroundings],
  },
  HAProxy: {
    command: 'haproxy',
    probe: ['-v'],
    recipe: 'haproxy.cfg',
    listen: ['bind :443 ', port => `bind 127.0.0.1:${port} `],
    hurdles: {
      sockets: [['  option forwardfor', '  http-request deny if { req.hdr(Upgrade) -m found }\n  option forwardfor']],
      // The defaults of Debian's configuration file.
      patience: [
        ['timeout client 1h', 'timeout client 50000'],
        ['timeout server 1h', 'timeout server 50000'],
      ],
    },
    surroundings: () => 'global\n  maxconn 200\n',
    args: ({ recipe }, surroundings) => ['-db', '-f', surroundings, '-f', recipe],
  },
} satisfies Record<string, Program>

export type ProxyName = keyof typeof PROGRAMS
export const PROXY_NAMES = Object.keys(PROGRAMS) as ProxyName[]

/** Whether the program is installed. */
export function isThere(name: ProxyName): boolean {
  const { command, probe } = PROGRAMS[name]
  return spawnSync(command, probe, { stdio: 'ignore' }).status === 0
}

/** PEM files of a self-signed certificate for 127.0.0.1; the first includes the key. */
export interface Certificate {
  pem: string
  key: string
}

/** @param folder receives the files */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const [certificate, key, pem] = ['certificate.pem', 'key.pem', 'both.pem'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ])
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`)
  await writeFile(pem, Buffer.concat([await readFile(certificate), await readFile(key)]))
  for (const file of [key, pem]) await chmod(file, 0o644)
  return { pem, key }
}

/** Makes this process, and those that it starts with the returned environment, trust a certificate. */
export async function trust({ pem }: Certificate): Promise<{ NODE_EXTRA_CA_CERTS: string }> {
  setDefaultCACertificates([...getCACertificates(), await readFile(pem, 'utf8')])
  return { NODE_EXTRA_CA_CERTS: pem }
}

export interface RunningProxy {
  /** `https://…` without the prefix. */
  origin: string
  stop(): Promise<void>
}

interface Setting {
  target: { host: string; port: number }
  certificate: Certificate
  hurdles?: readonly Hurdle[]
  /** A folder that nginx sends downloads from, by the recipe for that. */
  files?: string
  /** Deviations from that recipe. */
  slips?: Changes
}

/** Puts a proxy in front of a server, by the recipe in the documentation. */
export async function startProxy(
  name: ProxyName,
  way: ProbeTarget,
  { target, certificate, hurdles = [], files, slips = [] }: Setting,
): Promise<RunningProxy> {
  const program: Program = PROGRAMS[name]
  const { command, recipe: file, listen, surroundings, args } = program
  const home = await mkdtemp(join(tmpdir(), 'proxy-'))
  // Its workers are another user when it is started by root.
  await chmod(home, 0o755)
  const place = { home, port: await freePort(), recipe: join(home, file) }
  const recipe = layOut(await readFile(join(RECIPES, way, file), 'utf8'), [
    [listen[0], listen[1](place.port)],
    ['127.0.0.1:8080', `${target.host}:${target.port}`],
    ['/etc/ssl/files.example.org.pem', certificate.pem],
    ...(name === 'HAProxy' ? [] : [['/etc/ssl/files.example.org.key', certificate.key] as const]),
    ...hurdles.flatMap(hurdle => program.hurdles[hurdle]),
  ])
  await writeFile(place.recipe, files === undefined ? recipe : await withFiles(recipe, home, files, slips))
  await writeFile(join(home, 'main'), surroundings(place))
  return startProgram(command, args(place, join(home, 'main')), place)
}

/** Starts a proxy in a folder, which is removed at its end. */
export async function startProgram(
  command: string,
  args: readonly string[],
  { home, port }: Pick<Place, 'home' | 'port'>,
): Promise<RunningProxy> {
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise(resolve => child.once('close', resolve))
  await listens(child, port)
  return {
    origin: `https://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A recipe for nginx that includes the one for downloads, which is laid out next to it. */
async function withFiles(recipe: string, home: string, files: string, slips: Changes): Promise<string> {
  const more = join(home, 'nginx-files.conf')
  const text = await readFile(join(RECIPES, 'nginx-files.conf'), 'utf8')
  await writeFile(more, layOut(text, [...slips, ['/srv/files', files]]))
  return layOut(recipe, [['  location ', `  include ${more};\n  location `]])
}

/** @throws Error for a recipe without one of the marks: the documentation and its test have diverged */
function layOut(recipe: string, changes: Changes): string {
  return changes.reduce((text, [mark, here]) => {
    if (!text.includes(mark)) throw new Error(`The recipe does not say ${mark}`)
    return text.replaceAll(mark, here)
  }, recipe)
}

async function listens(child: ChildProcess, port: number): Promise<void> {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (said += chunk))
  const late = Date.now() + PATIENCE
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > late) throw new Error(`The proxy did not start:\n${said}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = connect(port, '127.0.0.1', () => resolve(true))
    probe.once('connect', () => probe.destroy()).once('error', () => resolve(false))
  })
}
