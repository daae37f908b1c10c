import type { ReaderTogether, ReadFile, ReadOrder } from '../types.ts'
import { ahead } from './ahead.ts'

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
  /** Gets what came of one that nobody took. */
  leave(result: R): Promise<void>
}

/** What comes of each, in their order: of the first ones one by one, then of many together. Throws what the looks throw. */
export async function* lookedAt<T, R>(source: AsyncIterable<T>, looks: Looks<T, R>): AsyncGenerator<R> {
  const items = source[Symbol.asyncIterator]()
  let reader: ReaderTogether | undefined
  try {
    yield* ahead(someOf(items, ALONE), looks.alone, looks.leave)
    const next = await items.next()
    if (next.done) return
    const begun = looks.begin()
    reader = begun
    const starts = () => !begun?.isReady
    yield* ahead(someOf(items, Number.POSITIVE_INFINITY, starts, next.value), looks.alone, looks.leave)
    if (begun) yield* inGroups(groupsOf(items, looks), begun, looks)
  } finally {
    reader?.close()
    await items.return?.(undefined)
  }
}

async function* inGroups<T, R>(
  groups: AsyncIterable<T[]>,
  reader: ReaderTogether,
  looks: Looks<T, R>,
): AsyncGenerator<R> {
  const leaveAll = async (results: Iterable<R>) => {
    for (const result of results) await looks.leave(result)
  }
  for await (const results of ahead(groups, group => lookAt(group, reader, looks), leaveAll, GROUPS)) {
    const left = results.values()
    try {
      // What is taken is no longer ours.
      for (let next = left.next(); !next.done; next = left.next()) yield next.value
    } finally {
      await leaveAll(left)
    }
  }
}

async function lookAt<T, R>(group: readonly T[], reader: ReaderTogether, looks: Looks<T, R>): Promise<R[]> {
  const orders = group.map(looks.order)
  const read = (await reader.read(orders.filter(order => order !== undefined))).values()
  const looked = group.map(async (item, index) => {
    const file = orders[index] && read.next().value
    return (file && looks.take(item, file)) ?? looks.alone(item)
  })
  const results = await Promise.allSettled(looked)
  const failed = results.find(({ status }) => status === 'rejected')
  if (!failed) return Promise.all(looked)
  for (const result of results) if (result.status === 'fulfilled') await looks.leave(result.value)
  throw (failed as PromiseRejectedResult).reason
}

async function* groupsOf<T>(items: AsyncIterator<T>, { room }: Pick<Looks<T, unknown>, 'room'>): AsyncGenerator<T[]> {
  let group: T[] = []
  let held = 0
  for (let next = await items.next(); !next.done; next = await items.next()) {
    const more = room(next.value)
    if (group.length > 0 && (group.length === TOGETHER || held + more > ROOM)) {
      yield group
      group = []
      held = 0
    }
    group.push(next.value)
    held += more
  }
  if (group.length > 0) yield group
}

/** So many of the items, and no more once `goesOn` says so, behind one that was taken before. */
async function* someOf<T>(
  items: AsyncIterator<T>,
  most: number,
  goesOn = () => true,
  ...taken: T[]
): AsyncGenerator<T> {
  yield* taken
  for (let count = 0; count < most && goesOn(); count++) {
    const next = await items.next()
    if (next.done) return
    yield next.value
  }
}
