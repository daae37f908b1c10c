import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FilePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import { goodOf } from '../appending.ts'
import { holdErrors, receive } from '../body.ts'
import type { AppendOptions, Entry, PublishOptions, Staging } from '../driver.ts'
import { PartBuffer, partSize } from './multipart-writer.ts'
import { newMeta } from './object-metadata.ts'
import {
  abortParts,
  beginParts,
  completeParts,
  copyObject,
  findUploads,
  headObject,
  type ListedObject,
  listAll,
  listParts,
  type Part,
  putObject,
  putPart,
  removeObjects,
} from './objects.ts'
import { demandGoal, publishing } from './publish.ts'
import { readWhole, wholeObject } from './read.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'

/** Identifies staged files. */
const NAME = /^[0-9a-f]{32}$/

/**
 * Staged files in a bucket: full parts in a multipart upload, and the remainder in an object whose key contains the
 * number of bytes before it. So whatever breaks off, the store itself knows the offset reached.
 */
export function stagingIn(scope: Scope): Staging {
  return {
    open: file => openFor(scope, file),
    append: (staged, at, body, how) => append(scope, staged, at, body, how),
    publish: (staged, file, how) => publishStaged(scope, staged, file, how),
    discard: staged => discardStaged(scope, staged),
  }
}

/** Key prefix of staged files, each in a folder of its own. */
export const waitingIn = ({ area }: Pick<Scope, 'area'>) => `${area}up/`

/** The stored parts of a staged file. */
interface Held {
  /** Prefix of its keys. */
  prefix: string
  /** Ids of its multipart uploads. */
  uploads: readonly string[]
  /** The one with the most bytes; a lost response can leave another one behind. */
  upload: string | undefined
  parts: readonly Part[]
  /** The remainders, by the number of bytes before them. */
  tails: ReadonlyMap<number, ListedObject>
  /** The whole object, once its parts were combined. */
  whole: ListedObject | undefined
}

/** Bytes that a full part is held back for its check, which may still reject it. */
const UNCHECKED = 2 * 1024 ** 2

const OPEN = 'open'
const WHOLE = 'whole'
const TAIL = 'tail-'

async function openFor(scope: Scope, file: FilePath): Promise<string> {
  await demandGoal(scope, file, {})
  await scope.notes?.note(scope.area)
  const staged = randomBytes(16).toString('hex')
  await putObject(scope.client, `${waitingIn(scope)}${staged}/${OPEN}`, Buffer.alloc(0), {})
  return staged
}

/** @throws not_found */
async function hold(scope: Scope, staged: string): Promise<Held> {
  if (!NAME.test(staged)) throw new AppError('not_found')
  const prefix = `${waitingIn(scope)}${staged}/`
  const objects = new Map<string, ListedObject>()
  for await (const page of listAll(scope.client, prefix)) {
    for (const object of page.objects) objects.set(object.key.slice(prefix.length), object)
  }
  if (!objects.has(OPEN)) throw new AppError('not_found')
  const uploads = await findUploads(scope.client, prefix + WHOLE)
  const tails = [...objects].filter(([name]) => name.startsWith(TAIL))
  return {
    prefix,
    uploads,
    ...(await furthest(scope, prefix + WHOLE, uploads)),
    tails: new Map(tails.map(([name, tail]) => [Number(name.slice(TAIL.length)), tail])),
    whole: objects.get(WHOLE),
  }
}

async function furthest(
  scope: Scope,
  key: string,
  uploads: readonly string[],
): Promise<Pick<Held, 'upload' | 'parts'>> {
  let found: Pick<Held, 'upload' | 'parts'> = { upload: undefined, parts: [] }
  for (const upload of uploads) {
    const parts = await listParts(scope.client, key, upload)
    if (found.upload === undefined || parts.length > found.parts.length) found = { upload, parts }
  }
  return found
}

/** The parts before an offset, and their total size. Bytes sent behind it do not count any more. */
function partsBefore(parts: readonly Part[], place: number): { parts: Part[]; size: number } {
  const before: Part[] = []
  let size = 0
  for (const part of parts) {
    if (part.number !== before.length + 1 || size + part.size > place) break
    before.push(part)
    size += part.size
  }
  return { parts: before, size }
}

/** The bytes between the parts and an offset. @throws unavailable when there are fewer */
async function tailUpTo(scope: Scope, { prefix, tails }: Held, start: number, place: number): Promise<Buffer> {
  if (place === start) return Buffer.alloc(0)
  if ((tails.get(start)?.size ?? 0) < place - start) {
    throw new AppError('unavailable', 'the bytes before this part are no longer there')
  }
  return (await readWhole(scope, `${prefix}${TAIL}${start}`)).subarray(0, place - start)
}

async function append(scope: Scope, staged: string, at: number, body: Readable, how: AppendOptions): Promise<void> {
  holdErrors(body)
  const held = await hold(scope, staged)
  const { parts, size } = partsBefore(held.parts, at)
  const tail = await tailUpTo(scope, held, size, at)
  await new Appender(scope, held, { at, parts, tail }, how).run(body)
}

/** Appends one body, and reports how much of it is durable. */
class Appender {
  readonly #scope: Scope
  readonly #held: Held
  readonly #from: { at: number; parts: readonly Part[]; tail: Buffer }
  readonly #how: AppendOptions
  #upload: string | undefined
  #parts: Part[]
  #tail: PartBuffer
  #received = 0

  constructor(
    scope: Scope,
    held: Held,
    from: { at: number; parts: readonly Part[]; tail: Buffer },
    how: AppendOptions,
  ) {
    this.#scope = scope
    this.#held = held
    this.#from = from
    this.#how = how
    this.#upload = held.upload
    this.#parts = [...from.parts]
    this.#tail = gathered(from.tail)
  }

  async run(body: Readable): Promise<void> {
    const { check } = this.#how
    try {
      await receive(body, { ...this.#how, partial: true }, piece => this.#take(piece))
      check?.end()
    } catch (thrown) {
      const good = goodOf(this.#how, asAppError(thrown))
      if (good !== undefined) this.#keepOnly(this.#from.at + good)
      await this.#keep()
      throw thrown
    }
    await this.#keep()
  }

  async #take(piece: Buffer): Promise<void> {
    this.#received += piece.length
    if (this.#received > this.#how.most) throw new AppError('body_too_large')
    this.#tail.add(piece)
    this.#how.check?.piece(piece)
    while (this.#isDue()) await this.#send()
  }

  /** Whether a part is full, and its check has confirmed it or has had enough time. */
  #isDue(): boolean {
    const size = partSize(this.#parts.length + 1)
    const { check } = this.#how
    if (this.#tail.size < size || !check?.good) return this.#tail.size >= size
    return this.#start + size <= this.#from.at + check.good() || this.#tail.size >= size + UNCHECKED
  }

  async #send(): Promise<void> {
    const { client } = this.#scope
    const key = this.#held.prefix + WHOLE
    this.#upload ??= await beginParts(client, key, {})
    const number = this.#parts.length + 1
    this.#parts.push(await putPart(client, key, this.#upload, number, this.#tail.take(partSize(number))))
    if (!this.#how.check) await this.#how.kept(this.#start)
  }

  /** Discards bytes behind an offset, including parts that extend beyond it: their bytes are not in memory any more. */
  #keepOnly(end: number): void {
    const { parts, size } = partsBefore(this.#parts, end)
    const isAllHere = parts.length === this.#parts.length
    const tail = parts.length === this.#from.parts.length ? this.#from.tail : Buffer.alloc(0)
    this.#tail = gathered(isAllHere ? this.#tail.look().subarray(0, end - size) : tail)
    this.#parts = parts
  }

  get #start(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  /** The previous state may only be removed after the new size was recorded. */
  async #keep(): Promise<void> {
    const { client } = this.#scope
    const key = `${this.#held.prefix}${TAIL}${this.#start}`
    if (this.#tail.size > 0) await putObject(client, key, this.#tail.look(), {})
    await this.#how.kept(this.#start + this.#tail.size)
    const old = [...this.#held.tails.values()].map(tail => tail.key)
    await removeObjects(client, this.#tail.size > 0 ? old.filter(other => other !== key) : old)
  }
}

function gathered(bytes: Buffer): PartBuffer {
  const all = new PartBuffer()
  all.add(bytes)
  return all
}

async function publishStaged(scope: Scope, staged: string, file: FilePath, how: PublishOptions): Promise<Entry> {
  const held = await hold(scope, staged)
  const entry = await (held.whole || held.parts.length > 0
    ? publishParts(scope, held, file, how)
    : publishSmall(scope, held, file, how))
  await discardHeld(scope, held)
  return entry
}

/** A file smaller than a part is written to its final key directly. */
async function publishSmall(scope: Scope, held: Held, file: FilePath, how: PublishOptions): Promise<Entry> {
  if ((held.tails.get(0)?.size ?? 0) !== how.length) throw new AppError('incomplete_body')
  const bytes = await tailUpTo(scope, held, 0, how.length)
  how.check?.piece(bytes)
  how.check?.end()
  const goal = await demandGoal(scope, file, how)
  const meta = newMeta(how.modified)
  return publishing(scope, goal, { meta, size: bytes.length, how }, condition =>
    putObject(scope.client, goal.key, bytes, meta, condition),
  )
}

/** The parts are combined under an internal key, checked, and copied to the final key by the store. */
async function publishParts(scope: Scope, held: Held, file: FilePath, how: PublishOptions): Promise<Entry> {
  const key = held.prefix + WHOLE
  const goal = await demandGoal(scope, file, how)
  if (!held.whole) await combineParts(scope, held, how.length)
  const head = await headObject(scope.client, key)
  if (head.size !== how.length) throw new AppError('incomplete_body')
  if (how.check) {
    for await (const piece of wholeObject(scope, key, head)) how.check.piece(piece)
    how.check.end()
  }
  const meta = newMeta(how.modified)
  return publishing(scope, goal, { meta, size: head.size, how }, condition =>
    copyObject(scope.client, { key, head }, goal.key, meta, condition),
  )
}

async function combineParts(scope: Scope, held: Held, length: number): Promise<void> {
  const { client } = scope
  const { parts, size } = partsBefore(held.parts, length)
  const missing = length - size
  if ((missing > 0 ? (held.tails.get(size)?.size ?? 0) : 0) !== missing) throw new AppError('incomplete_body')
  const tail = await tailUpTo(scope, held, size, length)
  const key = held.prefix + WHOLE
  const upload = held.upload ?? (await beginParts(client, key, {}))
  const last = tail.length > 0 ? [await putPart(client, key, upload, parts.length + 1, tail)] : []
  // After a lost response the retry finds no upload; the next step verifies that the object is whole.
  await unlessMissing(completeParts(client, key, upload, [...parts, ...last]))
}

async function discardStaged(scope: Scope, staged: string): Promise<void> {
  const held = await unlessMissing(hold(scope, staged))
  if (held) await discardHeld(scope, held)
}

/** The object that proves the file's existence is removed last, so that an interrupted discard can be retried. */
async function discardHeld({ client }: Scope, { prefix, uploads, tails, whole }: Held): Promise<void> {
  for (const upload of uploads) await unlessMissing(abortParts(client, prefix + WHOLE, upload))
  const keys = [...tails.values(), ...(whole ? [whole] : [])].map(({ key }) => key)
  await removeObjects(client, [...keys, prefix + WHOLE])
  await removeObjects(client, [prefix + OPEN])
}
