// npm run test:image: builds both editions of the image with buildah, without a registry, and tries them in containers of
// podman: a read-only root without capabilities, another user, a secret, the two generations of File Browser. As root.
// -- --built tries the images of the last run; -- --journeys [files…] adds the journeys of a browser, with the plain edition;
// -- --processor=arm64 builds and tries those of another processor, under QEMU: many minutes.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureBrowser } from './lib/browser.mjs'
import { attempt, buildImage, containers, PROCESSORS } from './lib/image.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { JOURNEYS } from './lib/journeys.mjs'
import { findProgram, inRepo, projectEnvironment, tool } from './lib/repo.mjs'
import { fail, runNode, say } from './lib/run.mjs'

const PORT = '18765'
const PROCESSOR = process.argv.find(name => name.startsWith('--processor='))?.slice('--processor='.length)
const SUFFIX = PROCESSOR === undefined ? '' : `-${PROCESSOR}`
const PLAIN = `localhost/filigree${SUFFIX}`
const FULL = `localhost/filigree-full${SUFFIX}`
const PASSWORD = 'a-long-enough-passphrase'
const LOCKED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges']
const SWITCH = ['chown', 'setgid', 'setuid'].flatMap(name => ['--cap-add', name])
const FILE_BROWSER_USERS = {
  admin: 'correct horse battery',
  alice: 'alice-has-a-long-pass',
  bob: 'bob-has-a-long-pass-too',
  'zoë@example.org': 'Grüße aus Zürich 2026',
}
const FILE_BROWSER_FILES = {
  'alice/docs/one.txt': 'hello from alice',
  'bob/b.txt': 'b',
  'teams/blue/plan.txt': 'plan',
  'public/readme.md': '# Hello',
}
const PATIENCE_SECONDS = PROCESSOR === undefined ? 30 : 300

const missing = ['buildah', 'podman', 'runc'].filter(name => findProgram(name) === undefined)
if (missing.length > 0) fail(`This needs ${missing.join(' and ')}: apt-get install buildah podman runc debootstrap`)
if (PROCESSOR !== undefined && !(PROCESSOR in PROCESSORS))
  fail(`--processor is one of ${Object.keys(PROCESSORS).join(' and ')}.`)
await ensureInstalled()
if (!process.argv.includes('--built')) {
  await buildImage('plain', PLAIN, PROCESSOR)
  await buildImage('full', FULL, PROCESSOR)
}

await trial('a read-only root, three capabilities for the switch of the user, and no others after it', PLAIN, {
  args: [...LOCKED, ...SWITCH, '--env', 'PUID=1234', '--env', 'UMASK=022', '--env', 'TZ=Asia/Tokyo'],
  async check({ at, name, folder }) {
    const token = await signIn(at, PASSWORD)
    await upload(at, token)
    const { uid, mode } = statSync(join(folder, 'srv/a.txt'))
    demand(uid === 1234 && (mode & 0o777) === 0o644, 'the file belongs to PUID and follows UMASK')
    const status = await inside(name, 'cat', '/proc/1/status')
    demand(/^CapEff:\s+0+$/m.test(status) && /^Uid:\s+1234/m.test(status), 'the server has no capabilities')
    demand((await inside(name, 'node', '-p', 'new Date(0).getHours()')) === '9', 'the time zone is that of TZ')
  },
})
await trial('a user of its own, without any capability, and a password from a file', PLAIN, {
  args: [...LOCKED, '--user', '1000:1000', '--env', 'FILIGREE_ADMIN_PASSWORD_FILE=/config/password'],
  password: 'another-long-passphrase',
  check: async ({ at }) => upload(at, await signIn(at, 'another-long-passphrase')),
})
await trial('a user of its own, and new volumes of Podman', PLAIN, {
  args: [...LOCKED, '--user', '1000:1000'],
  named: true,
  check: async ({ at }) => signIn(at, PASSWORD),
})
for (const { version, places } of [
  { version: '2.22.4', places: { database: '/database.db', settings: '/.filebrowser.json' } },
  { version: '2.22.4', places: { database: '/database/filebrowser.db', settings: '/config/settings.json' } },
  { version: '2.63.23', places: { database: '/database/filebrowser.db', settings: '/config/settings.json' } },
]) {
  await trial(`File Browser ${version} with its database at ${places.database}`, PLAIN, {
    args: [...LOCKED, ...SWITCH],
    fileBrowser: { version, ...places },
    async check({ at, name, folder }) {
      demand(/^.*\balice\b/m.test(await inside(name, 'filigree', 'users', 'ls')), 'its users exist')
      demand((await containers('podman', 'logs', name)).includes('Users     4 new'), 'the log has the report')
      demand(digest(join(folder, places.database)) === digest(fixture(version)), 'its database is unchanged')
      await enterAsBefore(at)
      await followLinks(at, folder)
    },
  })
}
await trial('the full edition', FULL, {
  args: [...LOCKED, ...SWITCH],
  async check({ name }) {
    demand((await inside(name, 'ffmpeg', '-version')).startsWith('ffmpeg version'), 'ffmpeg runs')
    demand((await inside(name, 'bwrap', '--version')).startsWith('bubblewrap'), 'bubblewrap runs')
    // Without a home that can be written it warns first.
    demand(/^LibreOffice/m.test(await inside(name, 'soffice', '--version')), 'LibreOffice runs')
  },
})
await trial('the demo, which touches no volume', PLAIN, {
  args: [...LOCKED, ...SWITCH],
  command: ['demo', '--reset', '30'],
  async check({ at, name, folder }) {
    const [, user, password] = await untilSaid(name, /sign in as (\S+), with the password (\S+)/)
    const headers = { 'X-Auth': await signIn(at, password, user) }
    const { items } = await (await fetch(`${at}/api/resources/`, { headers })).json()
    demand(items.length > 10, 'there are files')
    const left = ['srv', 'config', 'database'].flatMap(path => readdirSync(join(folder, path)))
    demand(left.length === 0, 'the volumes stay empty')
  },
})
if (process.argv.includes('--journeys')) await journeys(process.argv.filter(name => name.endsWith('.test.ts')))
for (const image of [PLAIN, FULL]) say(`${image}: ${Math.round((await sizeOf(image)) / 1e6)} MB`)

/** Starts a container with empty volumes, waits until it is healthy, tries it, and stops it gracefully. */
async function trial(title, image, { args, command = [], password, fileBrowser, named, check }) {
  say(`Trying ${title}…`)
  const folder = mkdtempSync(join(tmpdir(), 'filigree-image-'))
  const name = `filigree-trial-${process.pid}`
  fill(folder, { password, fileBrowser })
  const volumes = ['srv', 'config', 'database'].flatMap(path => {
    const isNamed = named === true && path !== 'srv'
    return ['--volume', `${isNamed ? `${name}-${path}` : join(folder, path)}:/${path}`]
  })
  for (const file of [fileBrowser?.database, fileBrowser?.settings])
    if (file !== undefined && dirname(file) === '/') volumes.push('--volume', `${join(folder, file)}:${file}`)
  const port = ['--network', 'host', '--env', 'FILIGREE_ADDRESS=127.0.0.1', '--env', `FILIGREE_PORT=${PORT}`]
  const first = password === undefined ? ['--env', `FILIGREE_ADMIN_PASSWORD=${PASSWORD}`] : []
  const limits = ['--ulimit', 'host', ...(await healthCheck(image))]
  await containers(
    'podman',
    'run',
    '--detach',
    '--name',
    name,
    ...limits,
    ...port,
    ...first,
    ...volumes,
    ...args,
    image,
    ...command,
  )
  try {
    await untilHealthy(name)
    await check({ at: `http://127.0.0.1:${PORT}`, name, folder })
    await containers('podman', 'stop', '--time', '20', name)
    const code = await containers('podman', 'inspect', '--format', '{{.State.ExitCode}}', name)
    demand(code === '0', `it stops gracefully, not with the code ${code}`)
  } finally {
    await attempt('podman', 'rm', '--force', '--time', '0', name)
    if (named) await attempt('podman', 'volume', 'rm', `${name}-config`, `${name}-database`)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The browser tests of a whole visit, each with a container of its own. */
async function journeys(chosen) {
  say('Trying the journeys of a browser…')
  const files = chosen.length > 0 ? chosen : JOURNEYS
  const program = inRepo('scripts', 'lib', 'in-container.mjs')
  const tried = { FILIGREE_CHROMIUM: await ensureBrowser(), FILIGREE_EXECUTABLE: program, TRIED_IMAGE: PLAIN }
  const { code } = await runNode([tool.playwright, 'test', '--project=root', '--reporter=list', ...files], {
    env: { ...projectEnvironment(), ...tried },
  })
  if (code !== 0) fail('Journeys failed; the report is above.')
}

function fill(folder, { password, fileBrowser }) {
  for (const path of ['srv', 'config', 'database']) mkdirSync(join(folder, path))
  chownSync(join(folder, 'srv'), password === undefined ? 1234 : 1000, 1000)
  if (password !== undefined) {
    for (const path of ['config', 'database']) chownSync(join(folder, path), 1000, 1000)
    writeFileSync(join(folder, 'config/password'), `${password}\n`)
  }
  if (fileBrowser === undefined) return
  for (const [path, content] of Object.entries(FILE_BROWSER_FILES)) {
    mkdirSync(dirname(join(folder, 'srv', path)), { recursive: true })
    writeFileSync(join(folder, 'srv', path), content)
  }
  const { version, database, settings } = fileBrowser
  copyFileSync(fixture(version), join(folder, database))
  // As an image that ran as root left it.
  chmodSync(join(folder, database), 0o640)
  const text = JSON.stringify({ port: 80, baseURL: '', address: '', log: 'stdout', database, root: '/srv' })
  writeFileSync(join(folder, settings), text)
}

/** The health check of the image, which is run by hand: Podman has a timer of systemd for it, which this machine may lack. */
async function healthCheck(image) {
  const { Test: test } = JSON.parse(
    await containers('podman', 'image', 'inspect', '--format', '{{json .HealthCheck}}', image),
  )
  demand(test?.[0] === 'CMD', 'the image has a health check')
  return ['--health-cmd', test.slice(1).join(' '), '--health-interval', 'disable']
}

async function untilHealthy(name) {
  const check = ['podman', 'healthcheck', 'run', name]
  for (let second = 0; second < PATIENCE_SECONDS; second++) {
    if ((await attempt(...check)).code === 0) return
    await wait(1000)
  }
  const { output } = await attempt('podman', 'logs', name)
  throw new Error(`The container is not healthy. Its log:\n${output}`)
}

async function untilSaid(name, pattern) {
  for (let second = 0; second < PATIENCE_SECONDS; second++) {
    const said = pattern.exec(await containers('podman', 'logs', name))
    if (said !== null) return said
    await wait(1000)
  }
  throw new Error(`The log of the container lacks ${pattern}.`)
}

async function signIn(at, password, username = 'admin') {
  const response = await fetch(`${at}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username, password }),
  })
  demand(response.status === 200, `a session, not ${response.status}`)
  return response.text()
}

/** What test/fixtures/filebrowser/README.md says of its users. */
async function enterAsBefore(at) {
  for (const [username, password] of Object.entries(FILE_BROWSER_USERS)) {
    const token = await signIn(at, password, username)
    const { status } = await fetch(`${at}/api/resources/`, { headers: { 'X-Auth': token } })
    demand(status === 200, `${username} sees files, not ${status}`)
  }
  const wrong = await fetch(`${at}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'alice', password: 'bob-has-a-long-pass-too' }),
  })
  demand(wrong.status === 403, `a wrong password is refused, not ${wrong.status}`)
}

/** Its links, by the addresses that people have. */
async function followLinks(at, folder) {
  const headers = { 'X-Auth': await signIn(at, FILE_BROWSER_USERS.admin) }
  const links = await (await fetch(`${at}/api/shares`, { headers })).json()
  demand(links.length === 5, `there are five links, not ${links.length}`)
  for (const { hash, path, hasPassword } of links) {
    const link = `${at}/api/public/share/${hash}`
    const { status } = await fetch(link)
    demand(status === (hasPassword ? 401 : 200), `the link to ${path} answers ${status}`)
    if (!hasPassword) continue
    const password = path.endsWith('.md') ? 'open sesame' : 'pw for docs'
    const opened = await fetch(link, { headers: { 'X-SHARE-PASSWORD': password } })
    demand(opened.status === 200, `the password of the link to ${path} opens it, not ${opened.status}`)
  }
  const open = links.find(link => /^\/public\/?$/.test(link.path))
  const got = await fetch(`${at}/api/public/dl/${open.hash}/readme.md`)
  demand((await got.text()) === readFileSync(join(folder, 'srv/public/readme.md'), 'utf8'), 'a link sends its file')
}

async function upload(at, token) {
  const headers = { 'X-Auth': token }
  const sent = await fetch(`${at}/api/resources/a.txt`, { method: 'POST', headers, body: 'alpha' })
  const got = await fetch(`${at}/api/raw/a.txt`, { headers })
  demand(sent.status === 200 && (await got.text()) === 'alpha', 'a file is written and read')
}

function demand(holds, what) {
  if (!holds) throw new Error(`This was expected: ${what}.`)
}

function fixture(version) {
  return inRepo('test', 'fixtures', 'filebrowser', version, 'filebrowser.db')
}

function digest(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function inside(name, ...command) {
  return containers('podman', 'exec', name, ...command)
}

async function sizeOf(image) {
  return Number(await containers('podman', 'image', 'inspect', '--format', '{{.Size}}', image))
}
