import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type FilePath, joinPath, parsePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { ByteRange, Entry, PublishOptions, StorageDriver, WriteOptions } from '../driver.ts'
import { type AppendOptions, append, writeFile } from '../write-file.ts'

/**
 * A store under test and its fixture: the root is the folder `inside` of a larger place that also holds a folder
 * `outside`, which no test may reach through the store. Fixture paths start with one of the two.
 */
export interface TestPlace {
  store: StorageDriver
  /** The place of its root in the served roots; `/` unless given. */
  at?: FilePath
  /** Creates a file and its folders without the store. */
  plantFile(path: string, content: string): Promise<void>
  plantLink(path: string, target: string): Promise<void>
  /** All names in a folder, temporary ones included. */
  names(path: string): Promise<string[]>
  /** The content of a file, `undefined` if there is none. */
  content(path: string): Promise<string | undefined>
  close(): Promise<void>
}

/** The content of a file next to the root, which no store may return. */
export const MARKER = 'OUTSIDE-7f3a'

/** Names that break careless stores; all are ordinary here. */
export const HOSTILE_NAMES = [
  '100%',
  'a%2Fb',
  'a#b',
  'a?b',
  'a+b',
  'a&b;c=d',
  '[x]{y}',
  'back\\slash',
  '..\\up.txt',
  'C:\\x.txt',
  'a:b',
  'con',
  '%zz',
  '%41',
  '*',
  '.hidden',
  '...',
  '-rf',
  '~',
  ' leading space',
  'trailing space ',
  'trailing dot.',
  'new\nline',
  'tab\tand\rreturn',
  `it's "quoted" \`so\``,
  '😀 emoji',
  'e\u0301 decomposed',
  '\u00e9 composed',
  '\u202eright-to-left',
  'a\u200bzero width',
  'İstanbul ß',
  'seemingly gone (deleted)',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(255),
  'の'.repeat(85),
  '.~fg-0123456789abcdef0123456789abcdef',
  'caf\udce9 latin',
  '\udced\udcb3\udca9 surrogate',
  '\udc80'.repeat(255),
] as const

export const p = parsePath

/** The place in the served roots of a path in a store. */
export const servedAt = ({ at = ROOT }: Pick<TestPlace, 'at'>, path: string): FilePath => joinPath(at, p(path))

export function body(content: string | Buffer): Readable {
  return Readable.from([Buffer.from(content)])
}

/** A body whose chunks the test supplies, open until `end` or `fail`. */
export function openBody(): Readable {
  return new Readable({ read() {} })
}

export async function put(store: StorageDriver, path: string, content: string | Buffer, how: WriteOptions = {}) {
  return writeFile(store, p(path), body(content), how)
}

/** Appends to a file begun earlier. @param how `kept`: receives the sizes reported as durable */
export async function add(
  store: StorageDriver,
  staged: string,
  at: number,
  content: string | Readable,
  { kept = [], ...how }: Partial<AppendOptions> & { kept?: number[] } = {},
): Promise<void> {
  const file = await store.resumable.resume(staged, at)
  try {
    const sent = typeof content === 'string' ? body(content) : content
    for await (const size of append(file, sent, { most: 1000, ...how })) kept.push(size)
  } finally {
    await file.close()
  }
}

/** Publishes a file begun earlier. */
export async function publish(store: StorageDriver, staged: string, path: FilePath, how: PublishOptions) {
  const file = await store.resumable.resume(staged, how.length ?? 0)
  try {
    const { madeFolder: _, ...entry } = await file.publish(path, how)
    return entry
  } finally {
    await file.close()
  }
}

/** Begins a file. @returns its name */
export async function begin(store: StorageDriver, path: FilePath): Promise<string> {
  const file = await store.resumable.stage(path)
  await file.close()
  return file.name
}

export async function bytesAt(store: StorageDriver, path: string, range?: ByteRange): Promise<Buffer> {
  const file = await store.read(p(path))
  try {
    return await buffer(file.stream(range))
  } finally {
    await file.close()
  }
}

export async function textAt(store: StorageDriver, path: string): Promise<string> {
  return (await bytesAt(store, path)).toString()
}

export async function listed(store: StorageDriver, folder = '/'): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const batch of store.list(p(folder))) entries.push(...batch.map(whole))
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** An entry including the fields that a store computes lazily. */
const whole = (entry: Entry): Entry => ({ ...entry, version: entry.version, identity: entry.identity })

export async function namesIn(store: StorageDriver, folder = '/'): Promise<string[]> {
  return (await listed(store, folder)).map(entry => entry.name)
}

/** The error code that an operation must end with. */
export async function refusal(operation: Promise<unknown>): Promise<string> {
  try {
    await operation
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code
    throw thrown
  }
  return 'done'
}

/** The outcomes of operations on a path, in the order stat, read, write, list, mkdir below. */
export async function refusalsOf(store: StorageDriver, path: string): Promise<string[]> {
  const target: FilePath = p(path)
  return [
    await refusal(store.stat(target)),
    await refusal(bytesAt(store, path)),
    await refusal(put(store, path, 'new')),
    await refusal(listed(store, path)),
    await refusal(store.mkdir(p(`${path}/made`))),
  ]
}

/** Waits until a condition holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await holds()) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  throw new Error('the condition did not come true in time')
}
