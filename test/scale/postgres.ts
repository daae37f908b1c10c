import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../proxies/free-port.ts'

/** Where Debian installs the programs of each version. */
const VERSIONS = '/usr/lib/postgresql'
/** The account of the package, for a server that may not run as root. */
const ACCOUNT = 'postgres'
/** Milliseconds a server may take to start. */
const PATIENCE = 60_000

/** The folder with the newest server's programs, if there is one. */
function findPrograms(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map(version => join(VERSIONS, version, 'bin')).find(folder => existsSync(join(folder, 'initdb')))
}

const PROGRAMS = findPrograms()
export const hasPostgres = PROGRAMS !== undefined || process.env.FILIGREE_TEST_DATABASE !== undefined

/** A PostgreSQL server started by a test. */
export interface Postgres {
  /** Its URL, without a database. */
  address: string
  /** The URL of a fresh, empty database. */
  make(): Promise<string>
  /** Empties a database. */
  empty(address: string): Promise<void>
  /** Stops the server immediately, as a crash does. */
  down(): Promise<void>
  /** Starts it again on its data. */
  up(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server with its own data on a port of its own. Its data need not survive a crash of the machine. */
export async function startPostgres(): Promise<Postgres> {
  const given = process.env.FILIGREE_TEST_DATABASE
  if (given !== undefined) return lent(given)
  const home = await mkdtemp(join(tmpdir(), 'filigree-postgres-'))
  const as = process.getuid?.() === 0 ? accountOf(ACCOUNT) : undefined
  const give = (path: string) => as && chownSync(path, as.uid, as.gid)
  give(home)
  const [data, secret, port] = [join(home, 'data'), randomBytes(16).toString('hex'), await freePort()]
  await writeFile(join(home, 'secret'), secret)
  give(join(home, 'secret'))
  const ways = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  const made = spawnSync(
    program('initdb'),
    ['-D', data, '-U', 'postgres', `--pwfile=${join(home, 'secret')}`, ...ways],
    { ...as, cwd: home, env: {} },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  await appendFile(join(data, 'postgresql.conf'), SETTINGS(port))
  const server = `postgres://postgres:${secret}@127.0.0.1:${port}`
  let guard: ChildProcess
  async function up(): Promise<void> {
    guard = spawn('sh', ['-c', GUARD, 'sh', program('postgres'), data, home], {
      ...as,
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    const late = Date.now() + PATIENCE
    while (!(await answers(`${server}/postgres`))) {
      if (Date.now() > late) throw new Error('PostgreSQL did not start')
      await pause(50)
    }
  }
  async function end(word: 'keep' | 'forget'): Promise<void> {
    const ended = once(guard, 'close')
    guard.stdin?.end(`${word}\n`)
    await ended
  }
  await up()
  return {
    address: server,
    make: () => makeDatabase(server),
    empty: emptyDatabase,
    down: () => end('keep'),
    up,
    stop: () => end('forget'),
  }
}

/**
 * Runs the server until its input ends, as it does when the tests end, however they do; then the data is deleted,
 * unless it is to be kept.
 */
const GUARD = `
"$1" -D "$2" & server=$!
read -r word
kill -QUIT $server
wait $server
[ "$word" = keep ] || rm -rf "$3"
`

let shared: Promise<Postgres> | undefined

/** The server that the tests of one process share; it ends with that. */
export function sharedPostgres(): Promise<Postgres> {
  shared ??= startPostgres()
  return shared
}

/** An external server: databases can be created, but it cannot be stopped. */
function lent(address: string): Postgres {
  const refuse = () => Promise.reject(new Error('This server is not ours to end.'))
  const make = () => makeDatabase(address)
  return { address, make, empty: emptyDatabase, down: refuse, up: refuse, stop: async () => {} }
}

const SETTINGS = (port: number) => `
listen_addresses = '127.0.0.1'
port = ${port}
max_connections = 300
unix_socket_directories = ''
fsync = off
full_page_writes = off
`

const program = (name: string) => join(PROGRAMS ?? '', name)

function accountOf(name: string): { uid: number; gid: number } | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

async function answers(address: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Creates an empty database, unless there is one of that name. @returns its URL */
export async function makeDatabase(server: string, name = `test_${randomBytes(6).toString('hex')}`): Promise<string> {
  const address = new URL(`/${name}`, server).href
  if (!(await answers(address)))
    await ask(new URL('/postgres', server).href, `create database ${name} template template0`)
  return address
}

async function emptyDatabase(address: string): Promise<void> {
  await dropDatabase(address)
  await makeDatabase(address, new URL(address).pathname.slice(1))
}

/** Drops a database, with its connections. */
export async function dropDatabase(address: string): Promise<void> {
  const name = new URL(address).pathname.slice(1)
  await ask(new URL('/postgres', address).href, `drop database if exists ${name} with (force)`)
}

/** Runs a query directly, as its administrator. */
export async function ask(address: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
