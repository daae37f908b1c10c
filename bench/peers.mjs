import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findProgram, inRepo } from '../scripts/lib/repo.mjs'

/**
 * A running server to measure: `listing(folder)`, `file(name)` and `upload(name)` return the request as
 * `{ url, headers, method }`, `pids` its processes, `stop` ends it. Filigree's also has its `url`, `headers` of a session, `dav(path)`, its process, the file of its
 * event-loop delays (see loop.mjs) and the time of its first response; it can start further sessions, too.
 */

/**
 * Starts Filigree, as released, on a folder and signs in.
 * @param more further flags
 * @param secrets further variables
 * @param by a wrapper program, such as one that pins it to a processor
 * @param tree the checkout whose build is started
 */
export async function startFiligree(root, scratch, more = [], secrets = {}, by = [], tree = inRepo()) {
  const port = await freePort()
  const password = 'only for this measurement'
  const args = [
    '--root',
    root,
    '--database',
    join(scratch, 'bench.db'),
    '--port',
    String(port),
    '--logLevel',
    'error',
    ...more,
  ]
  const loop = join(scratch, 'loop')
  // If set, the runtime reads certificates at its start, 4 MiB of them, though none are used.
  const { NODE_EXTRA_CA_CERTS: _, ...usual } = process.env
  const env = {
    ...usual,
    ...secrets,
    FILIGREE_ADMIN_PASSWORD: password,
    FILIGREE_BENCH_LOOP: loop,
    NODE_OPTIONS: `--import=${new URL('./loop.mjs', import.meta.url)}`,
  }
  const [program, ...words] = [...by, process.execPath, join(tree, 'dist', 'bin', 'filigree'), ...args]
  const { stop, pid } = start(program, words, env)
  const base = `http://127.0.0.1:${port}`
  const stopAfter = async error => {
    await stop()
    throw error
  }
  await answers(`${base}/health`).catch(stopAfter)
  const answeredAt = performance.now()
  const headers = await logIn(base, password).catch(stopAfter)
  return {
    stop,
    pid,
    pids: () => [pid],
    loop,
    answeredAt,
    url: base,
    headers,
    signIn: async () => (await logIn(base, password))['X-Auth'],
    listing: folder => ({ url: `${base}/api/resources/${folder}/`, headers }),
    file: name => ({ url: `${base}/api/raw/${name}`, headers }),
    upload: uploadOn(base, headers),
    dav: path => ({ url: `${base}/dav/${path}`, headers: { Authorization: `Basic ${btoa(`admin:${password}`)}` } }),
  }
}

/** An upload in one request. */
const uploadOn = (base, headers) => name => ({
  url: `${base}/api/resources/${name}?override=true`,
  headers,
  method: 'POST',
})

/** Starts the build of another checkout of Filigree on the same folder, to compare with. */
export function startBefore(root, scratch, tree) {
  const folder = join(scratch, 'before')
  mkdirSync(folder)
  return startFiligree(root, folder, [], {}, [], tree)
}

/** The servers with our API. */
export const apiServers = ({ ours, filebrowser, before }) => ({ ours, filebrowser, ...(before && { before }) })

async function logIn(base, password) {
  const body = JSON.stringify({ username: 'admin', password })
  const headers = { 'Content-Type': 'application/json' }
  // The first administrator is created just after the server listens.
  const login = await patiently(() => fetch(`${base}/api/login`, { method: 'POST', body, headers }))
  if (login === undefined) throw new Error('the sign-in was refused')
  return { 'X-Auth': await login.text() }
}

/** Starts nginx on the same folder; `undefined` if it is not installed. */
export async function startNginx(root, scratch) {
  const nginx = findProgram('nginx')
  if (nginx === undefined) return undefined
  const port = await freePort()
  const folder = join(scratch, 'nginx')
  mkdirSync(folder)
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(root, folder, port))
  const { stop, pid } = start(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')])
  const base = `http://127.0.0.1:${port}`
  await answers(`${base}/`).catch(async error => {
    await stop()
    throw error
  })
  return { ...plainly(base, {}), upload: putOn(base), stop, pids: () => [pid, ...childrenOf(pid)] }
}

const plainly = (base, headers) => ({
  listing: name => ({ url: `${base}/${name}/`, headers }),
  file: name => ({ url: `${base}/${name}`, headers }),
})

/** A WebDAV upload. */
const putOn = base => name => ({ url: `${base}/${name}`, headers: {}, method: 'PUT' })

/** The running children of a process. */
export function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Starts Caddy's file server; `undefined` if it is not installed. */
export function startCaddy(root, scratch) {
  const env = { ...process.env, XDG_DATA_HOME: join(scratch, 'caddy'), XDG_CONFIG_HOME: join(scratch, 'caddy') }
  const args = port => ['file-server', '--browse', '--root', root, '--listen', `127.0.0.1:${port}`]
  return startPlain('caddy', args, env, { Accept: 'application/json' })
}

/**
 * Starts `rclone serve http`, whose listings are HTML pages, and `rclone serve webdav` for uploads; `undefined` if it is
 * not installed.
 */
export async function startRclone(root) {
  const http = await startPlain('rclone', rcloneArgs('http', root))
  const dav = await startPlain('rclone', rcloneArgs('webdav', root))
  const stop = () => Promise.all([http, dav].map(async server => server?.stop()))
  return http && dav && { ...http, listing: undefined, upload: putOn(dav.url), stop }
}

const rcloneArgs = (kind, root) => port => [
  'serve',
  kind,
  root,
  '--dir-cache-time',
  '0s',
  '--addr',
  `127.0.0.1:${port}`,
]

async function startPlain(name, args, env = process.env, headers = {}) {
  const program = findProgram(name)
  if (program === undefined) return undefined
  const port = await freePort()
  const { stop, pid } = start(program, args(port), env, 'ignore')
  const base = `http://127.0.0.1:${port}`
  await answers(`${base}/`).catch(async error => {
    await stop()
    throw error
  })
  return { ...plainly(base, headers), url: base, stop, pids: () => [pid] }
}

/** Starts the File Browser that `PEER_FILEBROWSER` names, without authentication; `undefined` if it names none. */
export async function startFileBrowser(root, scratch) {
  const program = process.env.PEER_FILEBROWSER
  if (!program) return undefined
  const port = await freePort()
  const args = ['-d', join(scratch, 'peer.db'), '-r', root, '-a', '127.0.0.1', '-p', String(port), '--noauth']
  const { stop, pid } = start(program, args, process.env, 'ignore')
  const base = `http://127.0.0.1:${port}`
  const login = await patiently(() => fetch(`${base}/api/login`, { method: 'POST', body: '{}' }))
  if (login === undefined) {
    await stop()
    throw new Error(`${program} refuses the sign-in`)
  }
  const headers = { 'X-Auth': await login.text() }
  return {
    stop,
    pids: () => [pid],
    url: base,
    headers,
    listing: folder => ({ url: `${base}/api/resources/${folder}/`, headers }),
    file: name => ({ url: `${base}/api/raw/${name}`, headers }),
    upload: uploadOn(base, headers),
  }
}

function nginxConfig(root, folder, port) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${folder}/${kind};`,
  )
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; worker_processes 1; pid ${folder}/pid;
    events { worker_connections 256; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000;
      ${temporary.join(' ')}
      dav_methods PUT; client_max_body_size 0;
      server { listen 127.0.0.1:${port}; root ${root}; autoindex on; autoindex_format json; }
    }
  `
}

function start(command, args, env = process.env, errors = 'inherit') {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', errors] })
  const ended = new Promise(resolve => child.on('close', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { stop, pid: child.pid }
}

async function answers(url) {
  const answer = await patiently(() => fetch(url))
  if (answer === undefined) throw new Error(`no answer from ${url}`)
  await answer.body?.cancel()
}

/** Retries until the response is good; `undefined` after a minute. */
async function patiently(ask) {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const answer = await ask().catch(() => undefined)
    if (answer?.ok) return answer
    await answer?.body?.cancel()
    await pause(50)
  }
  return undefined
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
