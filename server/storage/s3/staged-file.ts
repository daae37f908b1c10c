import { randomBytes } from 'node:crypto'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry, PublishOptions, ResumableFile, StagedFile } from '../driver.ts'
import { dropNote, keepNote } from './multipart-notes.ts'
import { PartWriter } from './multipart-writer.ts'
import { newMeta } from './object-metadata.ts'
import {
  abortParts,
  beginParts,
  completeParts,
  copyObject,
  findUploads,
  headObject,
  listAll,
  listParts,
  type Part,
  putObject,
  removeObjects,
} from './objects.ts'
import type { ListedObject } from './page.ts'
import { demandGoal, publishing } from './publish.ts'
import { readWhole, wholeObject } from './read.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'

/**
 * Begins a whole file: parts go to its final key, where they are invisible until they are combined; a small file is
 * sent at once in the end.
 */
export async function stageFile(
  scope: Scope,
  path: FilePath,
  { modified }: Pick<PublishOptions, 'modified'> = {},
): Promise<StagedFile> {
  const { client } = scope
  const goal = await demandGoal(scope, path, {})
  const meta = newMeta(modified)
  let note: string | undefined
  const begin = async () => {
    const id = await beginParts(client, goal.key, meta)
    note = await keepNote(scope, { key: goal.key, id })
    return id
  }
  const writer = new PartWriter(client, goal.key, { begin })
  const forget = async () => {
    if (note !== undefined) await dropNote(scope, note)
    note = undefined
  }
  return {
    get size() {
      return writer.size
    },
    append: chunk => writer.add(chunk),
    async publish(_path, how) {
      if (how.length !== undefined && writer.size !== how.length) throw new AppError('incomplete_body')
      await writer.settle()
      const entry = await publishing(scope, goal, { meta, size: writer.size, how }, async condition => {
        const { upload } = writer
        if (!upload) return putObject(client, goal.key, writer.tail.look(), meta, condition)
        await writer.end()
        return completeParts(client, goal.key, upload, writer.parts, condition)
      })
      await forget()
      return entry
    },
    async close() {
      await writer.settle().catch(() => {})
      if (note === undefined || !writer.upload) return
      await abortParts(client, goal.key, writer.upload).catch(() => {})
      await forget()
    },
  }
}

/** Identifies staged files. */
const NAME = /^[0-9a-f]{32}$/

/** Key prefix of files that can be resumed, each in a folder of its own. */
export const waitingIn = ({ area }: Pick<Scope, 'area'>) => `${area}up/`

/** Bytes by which a part is held back for a check, which may still reject them. */
const HELD_BACK = 2 * 1024 ** 2

const OPEN = 'open'
const WHOLE = 'whole'
const TAIL = 'tail-'

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
  tails: Map<number, ListedObject>
  /** The whole object, once its parts were combined. */
  whole: ListedObject | undefined
}

/** Begins a file that can be resumed; see the driver contract. */
export async function stageResumable(scope: Scope, file: FilePath): Promise<ResumableFile> {
  await demandGoal(scope, file, {})
  await scope.notes?.note(scope.area)
  const name = randomBytes(16).toString('hex')
  const prefix = `${waitingIn(scope)}${name}/`
  await putObject(scope.client, prefix + OPEN, Buffer.alloc(0), {})
  const held = { prefix, uploads: [], upload: undefined, parts: [], tails: new Map(), whole: undefined }
  return new WaitingObject(scope, name, held, { parts: [], tail: Buffer.alloc(0) })
}

/** See the driver contract. */
export async function resumeFile(scope: Scope, name: string, size: number): Promise<ResumableFile> {
  const held = await hold(scope, name)
  const before = partsBefore(held.parts, size)
  const tail = await tailUpTo(scope, held, before.size, size)
  return new WaitingObject(scope, name, held, { parts: before.parts, tail })
}

/** See the driver contract. */
export async function discardFile(scope: Scope, name: string): Promise<void> {
  const held = await unlessMissing(hold(scope, name))
  if (held) await discardHeld(scope, held)
}

/**
 * A staged file in a bucket: full parts in a multipart upload under a hidden key, and the remainder in an object whose
 * key contains the number of bytes before it. So whatever breaks off, the store itself knows the offset reached.
 */
class WaitingObject implements ResumableFile {
  readonly name: string
  readonly #scope: Scope
  readonly #held: Held
  readonly #from: { parts: readonly Part[]; tail: Buffer }
  #writer: PartWriter
  #durable: number

  constructor(scope: Scope, name: string, held: Held, from: { parts: readonly Part[]; tail: Buffer }) {
    this.name = name
    this.#scope = scope
    this.#held = held
    this.#from = from
    this.#writer = this.#writerFrom(from.parts, from.tail)
    this.#durable = this.#writer.size
  }

  get size(): number {
    return this.#held.whole?.size ?? this.#writer.size
  }

  get durable(): number {
    return Math.max(this.#durable, this.#writer.sent)
  }

  append(chunk: Buffer): Promise<void> {
    return this.#writer.add(chunk)
  }

  /** Parts that extend beyond the end are dropped: their bytes are not in memory any more. */
  async truncate(size: number): Promise<void> {
    const isSent = await this.#writer.settle().then(
      () => true,
      () => false,
    )
    const { parts, tail } = this.#writer
    const before = partsBefore(parts, size)
    const isAllHere = isSent && before.parts.length === parts.length
    const old = before.parts.length === this.#from.parts.length ? this.#from.tail : Buffer.alloc(0)
    this.#writer = this.#writerFrom(before.parts, isAllHere ? tail.look().subarray(0, size - before.size) : old)
    this.#durable = Math.min(this.#durable, this.#writer.size)
  }

  /** Remainders that neither the recorded size nor this one needs are removed first. */
  async flush(): Promise<void> {
    const { client } = this.#scope
    const { prefix, tails } = this.#held
    await this.#writer.sendFull()
    const { sent, size, tail } = this.#writer
    const begun = this.#from.parts.reduce((sum, part) => sum + part.size, 0)
    const old = [...tails].filter(([start]) => start !== begun && start !== sent)
    await removeObjects(
      client,
      old.map(([, { key }]) => key),
    )
    for (const [start] of old) tails.delete(start)
    const key = `${prefix}${TAIL}${sent}`
    if (tail.size > 0) {
      await putObject(client, key, tail.look(), {})
      tails.set(sent, { key, size: tail.size, etag: '', changed: '' })
    }
    this.#durable = size
  }

  async *read(): AsyncGenerator<Buffer> {
    if (!(await this.#combined())) return yield this.#writer.tail.look()
    const key = this.#held.prefix + WHOLE
    yield* wholeObject(this.#scope, key, await headObject(this.#scope.client, key))
  }

  /** Parts are combined under the hidden key, and copied to the final key by the store; a small file is sent again. */
  async publish(path: FilePath, how: PublishOptions): Promise<Entry> {
    if (how.length !== undefined && this.size !== how.length) throw new AppError('incomplete_body')
    const { client } = this.#scope
    const goal = await demandGoal(this.#scope, path, how)
    const meta = newMeta(how.modified)
    const isCombined = await this.#combined()
    const key = this.#held.prefix + WHOLE
    const head = isCombined ? await headObject(client, key) : undefined
    if (head && head.size !== this.size) throw new AppError('incomplete_body')
    const entry = await publishing(this.#scope, goal, { meta, size: this.size, how }, condition =>
      head
        ? copyObject(client, { key, head }, goal.key, meta, condition)
        : putObject(client, goal.key, this.#writer.tail.look(), meta, condition),
    )
    await discardHeld(this.#scope, this.#held)
    return entry
  }

  async close(): Promise<void> {
    await this.#writer.settle().catch(() => {})
  }

  #writerFrom(parts: readonly Part[], tail: Buffer): PartWriter {
    const { client } = this.#scope
    const key = this.#held.prefix + WHOLE
    const begin = () => beginParts(client, key, {})
    return new PartWriter(client, key, { begin, upload: this.#held.upload, parts, tail, heldBack: HELD_BACK })
  }

  /** Combines the parts, unless there are none. @returns whether there is a whole object */
  async #combined(): Promise<boolean> {
    if (this.#held.whole) return true
    const writer = this.#writer
    await writer.sendFull()
    if (!writer.upload || writer.parts.length === 0) return false
    await writer.end()
    // After a lost response the retry finds no upload; the size of the object verifies that it is whole.
    await unlessMissing(completeParts(this.#scope.client, this.#held.prefix + WHOLE, writer.upload, writer.parts))
    return true
  }
}

/** @throws not_found */
async function hold(scope: Scope, name: string): Promise<Held> {
  if (!NAME.test(name)) throw new AppError('not_found')
  const prefix = `${waitingIn(scope)}${name}/`
  const objects = new Map<string, ListedObject>()
  for await (const page of listAll(scope.client, prefix)) {
    for (const object of page.objects) objects.set(object.key.slice(prefix.length), object)
  }
  if (!objects.has(OPEN)) throw new AppError('not_found')
  const uploads = await findUploads(scope.client, prefix + WHOLE)
  const tails = [...objects].filter(([key]) => key.startsWith(TAIL))
  return {
    prefix,
    uploads,
    ...(await furthest(scope, prefix + WHOLE, uploads)),
    tails: new Map(tails.map(([key, tail]) => [Number(key.slice(TAIL.length)), tail])),
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

/** The bytes between the parts and an offset, as far as they are there. */
async function tailUpTo(scope: Scope, { prefix, tails }: Held, start: number, place: number): Promise<Buffer> {
  if (place <= start || !tails.has(start)) return Buffer.alloc(0)
  return (await readWhole(scope, `${prefix}${TAIL}${start}`)).subarray(0, place - start)
}

/** The object that proves the file's existence is removed last, so that an interrupted discard can be retried. */
async function discardHeld({ client }: Scope, { prefix, uploads, tails }: Held): Promise<void> {
  for (const upload of uploads) await unlessMissing(abortParts(client, prefix + WHOLE, upload))
  await removeObjects(client, [...[...tails.values()].map(({ key }) => key), prefix + WHOLE])
  await removeObjects(client, [prefix + OPEN])
}
