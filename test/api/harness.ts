import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPostgres } from '../../server/db/address.ts'
import { dropDatabase, makeDatabase } from '../scale/postgres.ts'
import { makeRoot, servedAs } from './bucket.ts'

/** The program: the bundle in a complete run, the sources if none is named. */
export const EXECUTABLE =
  process.env.FILIGREE_EXECUTABLE ?? fileURLToPath(new URL('../../bin/filigree', import.meta.url))
/** Milliseconds a server may take to print its URL, or to end. */
const PATIENCE = 20_000

/** What a black-box test knows of a server: its URL, the served folder, and the credentials. */
export interface Instance {
  /** With the base URL, without a trailing slash. */
  url: string
  host: string
  port: number
  /** `''` or `/…`. */
  base: string
  root: string
  /** `admin` by default. */
  adminName?: string
  adminPassword: string
}

/** A server that the tests started themselves, so that its host's side is accessible as well. */
export interface OwnServer extends Instance {
  /** Contains the root, the database and the log; deleted at the end. */
  home: string
  database: string
  pid: number
  /** Its output so far. */
  output(): string
  /** Its log so far. */
  log(): Promise<string>
  /** Sends a signal and waits for the end. @returns the exit code, or the signal's name */
  end(signal?: NodeJS.Signals): Promise<number | string>
  /** Ends it if it still runs and deletes its folders. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Further flags. */
  args?: string[]
  env?: Record<string, string>
  base?: string
  /** Serves this folder instead of a fresh one. */
  root?: string
  /** Uses this database instead of a new one. */
  database?: string
  /** Reuses this home (and the database in it) of an earlier start. */
  home?: string
  /** Runs before the start, when the folders exist. */
  prepare?: (place: { root: string; database: string; home: string }) => Promise<void> | void
  /** A shell command that runs first in the server's own shell, such as `umask 000`. */
  shell?: string
  /** The Node that runs it, with flags, instead of the one that runs the tests. */
  node?: string[]
  /** Leads a process group of its own, as if started by a terminal or a service manager. */
  ownGroup?: boolean
}

/** The administrator's password of every server the tests start. */
export const ADMIN_PASSWORD = 'a-long-enough-passphrase'

export const uniqueName = (prefix: string): string => `${prefix}-${randomBytes(6).toString('hex')}`

/** A fresh folder for one server. */
export async function makeHome(): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'filigree-')))
  await makeRoot(home)
  return home
}

/** Starts the real program with a fresh folder and database, and waits until it responds. */
export async function startServer(options: StartOptions = {}): Promise<OwnServer> {
  const home = options.home ?? (await makeHome())
  const database = options.database ?? (await ownDatabase(home))
  const place = { home, root: options.root ?? (await realpath(join(home, 'srv'))), database }
  await options.prepare?.(place)
  const base = options.base ?? ''
  const flags = [
    '--root',
    await servedAs(place.root),
    '--database',
    place.database,
    '--port',
    '0',
    '--address',
    '127.0.0.1',
  ]
  if (isPostgres(database)) flags.push('--cacheDir', join(home, 'cache'))
  const logFile = join(home, 'filigree.log')
  const run = launch([...flags, '--log', logFile, '--baseURL', base, ...(options.args ?? [])], options)
  const address = await Promise.race([run.address, run.ended])
  if (typeof address === 'number' || !address.startsWith('http')) {
    await rm(home, { recursive: true, force: true })
    throw new Error(`The server did not start (${address}):\n${run.output()}`)
  }
  const { hostname, port } = new URL(address)
  return {
    ...place,
    url: `http://${hostname}:${port}${base}`,
    host: hostname,
    port: Number(port),
    base,
    adminPassword: ADMIN_PASSWORD,
    pid: run.child.pid ?? 0,
    output: run.output,
    log: () => readFile(logFile, 'utf8').catch(() => ''),
    async end(signal = 'SIGTERM') {
      run.child.kill(signal)
      return run.ended
    },
    async stop() {
      run.child.kill('SIGTERM')
      const late = setTimeout(() => run.child.kill('SIGKILL'), PATIENCE)
      await run.ended
      clearTimeout(late)
      if (options.database === undefined) await dropOwnDatabase(database)
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The PostgreSQL server on which every test server gets a database, if configured. */
const SERVER = process.env.FILIGREE_TEST_DATABASE

/** A file in the home, or the database that goes with the home. */
export const ownDatabase = async (home: string): Promise<string> =>
  SERVER === undefined ? join(home, 'f.db') : makeDatabase(SERVER, `test_${basename(home).slice(-6).toLowerCase()}`)

/** Deletes what `ownDatabase` created outside the home. */
export async function dropOwnDatabase(database: string): Promise<void> {
  if (SERVER !== undefined) await dropDatabase(database)
}

export interface Run {
  child: ChildProcess
  output(): string
  /** The printed URL; never settles if there is none. */
  address: Promise<string>
  /** Exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>
}

/** Tests hash many passwords. */
export const CHEAP = { FILIGREE_PASSWORD_COST: 'least' }

/** `off`: servers call the kernel through the runtime only. */
const KERNEL = process.env.FILIGREE_TEST_KERNEL

/** The setting `trash` of servers that do not name one themselves. */
const TRASH = process.env.FILIGREE_TEST_TRASH

/** Starts the program with exactly these arguments. */
export function launch(args: string[], options: Pick<StartOptions, 'env' | 'shell' | 'node' | 'ownGroup'> = {}): Run {
  const kernel = KERNEL === undefined ? {} : { FILIGREE_KERNEL: KERNEL }
  const trash = TRASH === undefined ? {} : { FILIGREE_TRASH: TRASH }
  const env = {
    ...hostEnvironment(),
    ...CHEAP,
    ...kernel,
    ...trash,
    FILIGREE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    ...options.env,
  }
  const command = [...(options.node ?? [process.execPath]), EXECUTABLE, ...args]
  const [program = '', ...rest] = options.shell
    ? ['sh', '-c', `${options.shell}; exec "$@"`, 'sh', ...command]
    : command
  const child = spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: options.ownGroup ?? false })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let text = ''
  const address = new Promise<string>(resolve => {
    const collect = (chunk: Buffer) => {
      text += chunk.toString()
      const found = /^ +at (http:\/\/\S+)$/m.exec(text)?.[1]
      if (found) resolve(found)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
  })
  const ended = new Promise<number | string>(resolve => {
    child.once('close', (code, signal) => {
      process.off('exit', kill)
      resolve(code ?? signal ?? 'unknown')
    })
  })
  return { child, output: () => text, address, ended }
}

/** The environment without settings of the product, so that the host's own do not leak into a test. */
function hostEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !/^(FILIGREE|FB)_/.test(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']))
}
