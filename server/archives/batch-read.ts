import type { ReaderTogether, ReadFile, ReadOrder } from '../files/types.ts'
import { prefetch } from '../lib/limit.ts'

/** Things that are looked at one by one before others are looked at together: most archives hold few. */
const ALONE = 32
/** Things that are looked at together, at most, and bytes of memory that they may take. */
const TOGETHER = 128
const ROOM = 1024 * 1024
/** Such groups that are begun before the first of them is taken. */
const GROUPS = 2

/** How things are looked at. */
export interface Looks<T, R> {
  alone(item: T): Promise<R>
  /** Begins to read many together; nothing where that is not to be had. */
  begin(): ReaderTogether | undefined
  /** What is to be read of one; nothing for one that is looked at alone. */
  order(item: T): ReadOrder | undefined
  /** What that comes to; nothing for one that is to be looked at alone after all. */
  take(item: T, read: ReadFile): R | undefined
  /** Bytes of memory that one takes. */
  room(item: T): number
  /** Gets what came of each once the next group is wanted, or nothing more is. */
  leave(result: R): Promise<void>
}

/**
 * What comes of each, in their order, in groups: of the first ones one by one, then of many together. A group is good until
 * the next one is asked for. Throws what the looks throw.
 */
export async function* lookedAt<T, R>(source: AsyncIterable<readonly T[]>, looks: Looks<T, R>): AsyncGenerator<R[]> {
  const items = new Items(source)
  let reader: ReaderTogether | undefined
  try {
    yield* oneByOne(items.some(ALONE), looks)
    if (!(await items.hasMore())) return
    const begun = looks.begin()
    reader = begun
    const starts = () => !begun?.isReady
    yield* oneByOne(items.some(Number.POSITIVE_INFINITY, starts), looks)
    if (begun) yield* inGroups(groupsOf(items, looks), begun, looks)
  } finally {
    reader?.close()
    await items.end()
  }
}

async function* oneByOne<T, R>(items: AsyncIterable<T>, { alone, leave }: Looks<T, R>): AsyncGenerator<R[]> {
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
  reader: ReaderTogether,
  looks: Looks<T, R>,
): AsyncGenerator<R[]> {
  const look = (group: readonly T[]) => lookAt(group, reader, looks)
  const leave = async ({ results, release }: Looked<R>) => {
    for (const result of results) await looks.leave(result)
    release()
  }
  for await (const looked of prefetch(groups, look, { discard: leave, limit: GROUPS })) {
    try {
      yield looked.results
    } finally {
      await leave(looked)
    }
  }
}

/** What came of a group; and lets its memory be used again. */
interface Looked<R> {
  results: R[]
  release(): void
}

async function lookAt<T, R>(group: readonly T[], reader: ReaderTogether, looks: Looks<T, R>): Promise<Looked<R>> {
  const orders = group.map(looks.order)
  const { files, release } = await reader.read(orders.filter(order => order !== undefined))
  const read = files.values()
  const taken = group.map((item, index) => {
    const file = orders[index] && read.next().value
    return file && looks.take(item, file)
  })
  const rest = group.filter((_, index) => taken[index] === undefined)
  const alone = (await allOf(rest.map(looks.alone), looks.leave)).values()
  return { results: taken.map(result => result ?? (alone.next().value as R)), release }
}

/** @throws what the first of them throws; what came of the others is left then */
async function allOf<R>(begun: readonly Promise<R>[], leave: (result: R) => Promise<void>): Promise<R[]> {
  const ended = await Promise.allSettled(begun)
  const failed = ended.find(end => end.status === 'rejected')
  if (!failed) return Promise.all(begun)
  for (const end of ended) if (end.status === 'fulfilled') await leave(end.value)
  throw failed.reason
}

async function* groupsOf<T>(items: Items<T>, { room }: Pick<Looks<T, unknown>, 'room'>): AsyncGenerator<T[]> {
  let group: T[] = []
  let held = 0
  while (items.isAtHand || (await items.hasMore())) {
    const item = items.take()
    const more = room(item)
    if (group.length > 0 && (group.length === TOGETHER || held + more > ROOM)) {
      yield group
      group = []
      held = 0
    }
    group.push(item)
    held += more
  }
  if (group.length > 0) yield group
}

/** Things that come in groups, taken one by one: without waiting where they are there already. */
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

  /** Only after one of the two above. */
  take(): T {
    return this.#group[this.#at++] as T
  }

  /** So many, and no more once `goesOn` says so. */
  async *some(most: number, goesOn = () => true): AsyncGenerator<T> {
    for (let count = 0; count < most && goesOn() && (await this.hasMore()); count++) yield this.take()
  }

  async end(): Promise<void> {
    await this.#groups.return?.(undefined)
  }
}
