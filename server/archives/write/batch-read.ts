import type { BatchReader, ReadFile, ReadRequest } from '../../files/types.ts'
import { prefetch } from '../../lib/limit.ts'

/** Entries processed one by one before batches start: most archives contain few. */
const ONE_BY_ONE = 32
/** Maximum number of entries per batch, and of bytes of memory that they may take. */
const MAX_ENTRIES = 128
const MAX_BYTES = 1024 * 1024
/** Batches that are started ahead. */
const GROUPS = 2

/** How items are read. */
export interface BatchSteps<T, R> {
  alone(item: T): Promise<R>
  /** Starts a batch reader; `undefined` where there is none. */
  begin(): BatchReader | undefined
  /** The batch request for an item; `undefined` for one that is read individually. */
  request(item: T): ReadRequest | undefined
  /** The result of a batch read; `undefined` if the item has to be read individually after all. */
  take(item: T, read: ReadFile): R | undefined
  /** Bytes of memory that an item takes. */
  room(item: T): number
  /** Releases a result once the next group is requested, or the caller stops. */
  leave(result: R): Promise<void>
}

/**
 * The result of each item, in order, in groups: the first ones individually, then in batches. A group is valid until
 * the next one is requested. Throws what reading throws.
 */
export async function* inBatches<T, R>(
  source: AsyncIterable<readonly T[]>,
  steps: BatchSteps<T, R>,
): AsyncGenerator<R[]> {
  const items = new Items(source)
  let reader: BatchReader | undefined
  try {
    yield* oneByOne(items.some(ONE_BY_ONE), steps)
    if (!(await items.hasMore())) return
    const begun = steps.begin()
    reader = begun
    const starts = () => !begun?.isReady
    yield* oneByOne(items.some(Number.POSITIVE_INFINITY, starts), steps)
    if (begun) yield* inGroups(groupsOf(items, steps), begun, steps)
  } finally {
    reader?.close()
    await items.end()
  }
}

async function* oneByOne<T, R>(items: AsyncIterable<T>, { alone, leave }: BatchSteps<T, R>): AsyncGenerator<R[]> {
  for await (const result of prefetch(items, alone, { discard: leave })) {
    try {
      yield [result]
    } finally {
      await leave(result)
    }
  }
}

async function* inGroups<T, R>(
  groups: AsyncIterable<T[]>,
  reader: BatchReader,
  steps: BatchSteps<T, R>,
): AsyncGenerator<R[]> {
  const start = (group: readonly T[]) => readGroup(group, reader, steps)
  const leave = async ({ results, release }: Group<R>) => {
    for (const result of results) await steps.leave(result)
    release()
  }
  for await (const group of prefetch(groups, start, { discard: leave, limit: GROUPS })) {
    try {
      yield group.results
    } finally {
      await leave(group)
    }
  }
}

/** The results of a group, and the release of its memory. */
interface Group<R> {
  results: R[]
  release(): void
}

async function readGroup<T, R>(group: readonly T[], reader: BatchReader, steps: BatchSteps<T, R>): Promise<Group<R>> {
  const requests = group.map(steps.request)
  const { files, release } = await reader.read(requests.filter(request => request !== undefined))
  const read = files.values()
  const taken = group.map((item, index) => {
    const file = requests[index] && read.next().value
    return file && steps.take(item, file)
  })
  const rest = group.filter((_, index) => taken[index] === undefined)
  const alone = (await allOf(rest.map(steps.alone), steps.leave)).values()
  return { results: taken.map(result => result ?? (alone.next().value as R)), release }
}

/** @throws the first error; the results of the others are released then */
async function allOf<R>(begun: readonly Promise<R>[], leave: (result: R) => Promise<void>): Promise<R[]> {
  const ended = await Promise.allSettled(begun)
  const failed = ended.find(end => end.status === 'rejected')
  if (!failed) return Promise.all(begun)
  for (const end of ended) if (end.status === 'fulfilled') await leave(end.value)
  throw failed.reason
}

async function* groupsOf<T>(items: Items<T>, { room }: Pick<BatchSteps<T, unknown>, 'room'>): AsyncGenerator<T[]> {
  let group: T[] = []
  let held = 0
  while (items.isAtHand || (await items.hasMore())) {
    const item = items.take()
    const more = room(item)
    if (group.length > 0 && (group.length === MAX_ENTRIES || held + more > MAX_BYTES)) {
      yield group
      group = []
      held = 0
    }
    group.push(item)
    held += more
  }
  if (group.length > 0) yield group
}

/** Items that arrive in groups, taken one by one: synchronously where they are buffered. */
class Items<T> {
  readonly #groups: AsyncIterator<readonly T[]>
  #group: readonly T[] = []
  #at = 0

  constructor(groups: AsyncIterable<readonly T[]>) {
    this.#groups = groups[Symbol.asyncIterator]()
  }

  get isAtHand(): boolean {
    return this.#at < this.#group.length
  }

  async hasMore(): Promise<boolean> {
    while (!this.isAtHand) {
      const { done, value } = await this.#groups.next()
      if (done) return false
      this.#group = value
      this.#at = 0
    }
    return true
  }

  /** Only after one of the two methods above. */
  take(): T {
    return this.#group[this.#at++] as T
  }

  /** Up to a number of items, ending early once `goesOn` returns false. */
  async *some(most: number, goesOn = () => true): AsyncGenerator<T> {
    for (let count = 0; count < most && goesOn() && (await this.hasMore()); count++) yield this.take()
  }

  async end(): Promise<void> {
    await this.#groups.return?.(undefined)
  }
}
