import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type OwnServer, startServer } from '../api/harness.ts'
import type { Dice } from '../fuzz/dice.ts'
import { size } from './sizes.ts'

const runs = (program: string, ...args: string[]) => spawnSync(program, args).error === undefined
const isRoot = process.getuid?.() === 0
/** Whether this machine has the programs, and lets this user mount. */
export const hasDavfs: boolean = isRoot && runs('mount.davfs', '--version')
export const hasGvfs: boolean = isRoot && runs('dbus-run-session', '--version') && runs('/usr/libexec/gvfsd-dav')

/** Names that programs spell wrongly if any; davfs2 itself refuses one of 255 bytes. */
export const ODD_NAMES = [
  'a b/c d.txt',
  '100 %/%20 %25 %41.txt',
  'what?#&+=;,@$!.txt',
  `"quotes" and 'more' <b>.txt`,
  'Ünïcödé/日本語 🎉.txt',
  'decomposed e\u0301.txt',
  '.hidden/.dot',
  '~tilde [1] {2} (3)|^`.txt',
  '&amp; ]]>.txt',
  '-rf',
  ' ',
  'n'.repeat(200),
]

/** Those that rclone and gvfs spell in their own way. */
export const ODDER_NAMES = ['back\\slash.txt', 'two\nlines.txt', 'bell\u0007.txt']

export interface TreeSize {
  names: readonly string[]
  small: number
  mebibytes: number
}

/** A tree with odd names, small files of random content and a large one, all with times of the past. */
export async function makeTree(folder: string, { names, small, mebibytes }: TreeSize): Promise<void> {
  const write = async (name: string, content: string | Buffer, index: number) => {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    await utimes(path, 1_600_000_000 + index, 1_600_000_000 + index)
  }
  for (const [index, name] of names.entries()) await write(`odd/${name}`, `content ${index}`, index)
  for (let index = 0; index < small; index += 1)
    await write(`small/${index % 50}/${index}.bin`, randomBytes((index * 7919) % 4096), index)
  const large = await open(join(folder, 'large.bin'), 'w')
  for (let index = 0; index < mebibytes; index += 1) await large.write(randomBytes(1024 ** 2))
  await large.close()
}

/** All files of a tree, by their paths in it. */
export async function filesOf(folder: string, recover?: Mount['recover']): Promise<string[]> {
  const entries = await retried(() => readdir(folder, { recursive: true, withFileTypes: true }), recover)
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return files.map(path => path.slice(folder.length + 1)).sort()
}

/** The SHA-256 of each file of a tree. */
export async function hashesOf(folder: string, recover?: Mount['recover']): Promise<Record<string, string>> {
  const names = await filesOf(folder, recover)
  const hashes: Record<string, string> = {}
  for (const name of names) hashes[name] = await retried(() => hashOf(join(folder, name)), recover)
  return hashes
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The bytes of each file of a tree; of none while there is none. */
export async function sizesOf(folder: string): Promise<Map<string, number>> {
  const names = existsSync(folder) ? await filesOf(folder) : []
  return new Map(await Promise.all(names.map(async name => [name, (await stat(join(folder, name))).size] as const)))
}

/** Milliseconds that a client tries again for. */
const PATIENCE = 180_000

/** Does it again until it succeeds, as someone does whose server is unavailable. */
async function retried<T>(work: () => Promise<T>, recover?: Mount['recover']): Promise<T> {
  const end = performance.now() + PATIENCE
  for (;;) {
    try {
      return await work()
    } catch (thrown) {
      if (performance.now() > end) throw thrown
      await pause(300)
      await recover?.()
    }
  }
}

/** Copies these files of a tree into one on a mounted server; each until it succeeds. */
export async function copyFiles(names: Iterable<string>, from: string, { folder, recover }: Mount): Promise<void> {
  const made = new Set<string>()
  // Node tries forever to make all folders of a path at once where a mount is lost.
  const makeFolder = async (path: string): Promise<void> => {
    if (path === folder || made.has(path)) return
    await makeFolder(dirname(path))
    await retried(() => mkdir(path).catch(unlessThere), recover)
    made.add(path)
  }
  for (const name of names) {
    const target = join(folder, 'tree', name)
    await makeFolder(dirname(target))
    await retried(() => pipeline(createReadStream(join(from, name)), createWriteStream(target)), recover)
  }
}

function unlessThere(thrown: NodeJS.ErrnoException): void {
  if (thrown.code !== 'EEXIST') throw thrown
}

/** Kills of one copy, at most. */
const KILLS = size('MOUNT_KILLS', 5)
/** Milliseconds between two kills, on average. */
const PERIOD = 6000

/** A server that is killed at random moments and starts again at the same address. */
export class KilledServer {
  kills = 0
  readonly #dice: Dice
  readonly #most: number
  #server: OwnServer

  static async start(dice: Dice, kills = KILLS): Promise<KilledServer> {
    const killed = new KilledServer(await startServer(), { dice, kills })
    onTestFinished(() => killed.#server.stop())
    return killed
  }

  constructor(server: OwnServer, { dice, kills }: { dice: Dice; kills: number }) {
    this.#server = server
    this.#dice = dice
    this.#most = kills
  }

  get root(): string {
    return this.#server.root
  }
  get url(): string {
    return this.#server.url
  }
  get password(): string {
    return this.#server.adminPassword
  }

  /** Kills the server at random moments of the work. @param check what must hold between a kill and a start */
  async killDuring<T>(work: Promise<T>, check: () => Promise<void>): Promise<T> {
    let done = false
    const ended = work.finally(() => {
      done = true
    })
    // Its failure is that of the whole, at the end.
    ended.catch(() => {})
    for (let kills = 0; kills < this.#most && !done; kills += 1) {
      await Promise.race([ended.catch(() => {}), pause(PERIOD / 2 + this.#dice.below(PERIOD))])
      if (done) break
      await this.#server.end('SIGKILL')
      this.kills += 1
      await check()
      const { home, port } = this.#server
      this.#server = await startServer({ home, args: ['--port', String(port)] })
    }
    return ended
  }
}

/** A mounted server: where it is, and its end, which waits for everything that was written. */
export interface Mount {
  folder: string
  unmount(): Promise<void>
  /** Mounts it again if it is lost. */
  recover?(): Promise<unknown>
}

/**
 * Mounts a server by davfs2. `buf_size`: without it, Linux 6.16 and later list nothing, whatever the server. It finds its
 * own locks again by their owner.
 */
export async function mountDavfs({ url, password }: KilledServer): Promise<Mount> {
  const home = await mkdtemp(join(tmpdir(), 'davfs-'))
  const folder = join(home, 'mnt')
  await mkdir(folder)
  await writeFile(join(home, 'secrets'), `${url}/dav/ admin ${password}\n`, { mode: 0o600 })
  const settings = {
    buf_size: 64,
    use_locks: 1,
    lock_owner: 'davfs2',
    delay_upload: 0,
    retry: 1,
    max_retry: 5,
    ask_auth: 0,
  }
  const lines = Object.entries({ secrets: join(home, 'secrets'), ...settings }).map(pair => pair.join(' '))
  await writeFile(join(home, 'davfs2.conf'), `${lines.join('\n')}\n`)
  await run('mount', '-t', 'davfs', '-o', `conf=${join(home, 'davfs2.conf')}`, `${url}/dav/`, folder)
  const unmount = once(() => run('umount', folder))
  onTestFinished(async () => {
    await unmount()
    await rm(home, { recursive: true })
  })
  return { folder, unmount }
}

/** Mounts a server by gvfs, without a desktop. */
export async function mountGvfs({ url, password }: KilledServer): Promise<Mount & { address: string; gio: Gio }> {
  const home = await mkdtemp(join(tmpdir(), 'gvfs-'))
  const { host, hostname, port } = new URL(url)
  const address = `dav://admin@${host}/dav`
  const own = { HOME: home, XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: join(home, '.cache') }
  const outer = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...own }
  const session = spawn('dbus-run-session', ['--', 'sh', '-c', 'echo "$DBUS_SESSION_BUS_ADDRESS"; cat >/dev/null'], {
    env: outer,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>(resolve => session.once('exit', () => resolve()))
  const { value: bus } = await createInterface(session.stdout)[Symbol.asyncIterator]().next()
  const env = { ...outer, DBUS_SESSION_BUS_ADDRESS: String(bus) }
  const gio: Gio = (...args) => output('gio', args, env)
  const script = `gio info "$2" >/dev/null 2>&1 || printf '%s\\n' "$1" | gio mount "$2"`
  const mount = () => output('sh', ['-c', script, 'sh', password, address], env)
  await mount()
  const unmount = once(async () => {
    await gio('mount', '--unmount', address).catch(() => undefined)
    session.stdin.end()
    await ended
  })
  onTestFinished(async () => {
    await unmount()
    // Its process of FUSE ends a moment after the session.
    await rm(home, { recursive: true, force: true, maxRetries: 20 })
  })
  const name = `dav:host=${hostname},port=${port},ssl=false,user=admin,prefix=${encodeURIComponent('/dav')}`
  const folder = join(home, 'gvfs', name)
  await retried(() => stat(folder))
  // Its process of WebDAV ends when a server vanishes during a request.
  return { folder, unmount, address, gio, recover: () => mount().catch(() => undefined) }
}

/** Runs `gio` where the server is mounted. @returns what it prints */
type Gio = (...args: string[]) => Promise<string>

function once(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<unknown> | undefined
  return async () => {
    done ??= work()
    await done
  }
}

export const run = async (program: string, ...args: string[]): Promise<string> => output(program, args, process.env)

/** @throws Error with what it says, for a program that fails */
async function output(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (piece: string) => {
      texts[stream] += piece
    })
  const code = await new Promise(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${code}\n${texts.stdout}${texts.stderr}`)
  return texts.stdout
}
