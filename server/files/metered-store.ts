import { type FilePath, joinPath, ROOT, trustedChild } from '../../shared/path.ts'
import { type Amount, amountOfFile, minus, NOTHING, positive } from '../lib/amount.ts'
import type { KeptThings, Published, PublishOptions, StagedTrees, StorageDriver } from '../storage/driver.ts'
import { MeteredFile, type MeteredWrite, publishCounted } from './metered-file.ts'
import { makingFolders } from './metered-folders.ts'
import { meteredMove } from './metered-move.ts'
import { amountOf, amountOfFolder, MeteredPlaces } from './metered-places.ts'
import type { Meter, Metering, Reservation } from './metering.ts'

/**
 * A store in which quotas count: whatever adds bytes or items reserves room before, and is refused with `quota_exceeded` before
 * the first one; whatever was added or removed is settled afterwards. Where no folder has a quota, every call passes
 * through. Replaced contents and deleted items do not count.
 * @param base the place of the store's root in the served root
 */
export function meteredStore(inner: StorageDriver, base: FilePath, metering: Metering): StorageDriver {
  const places = new MeteredPlaces(inner, base, metering)
  const tools = { inner, base, metering, places }
  return {
    ...inner,
    stage: async (path, how = {}) => {
      const meters = await places.over(path)
      if (meters.length === 0) return inner.stage(path, how)
      const write = await reserved(tools, path, metering.begin(), { meters, how })
      return staging(write, () => inner.stage(path, how))
    },
    resumable: resumableIn(tools),
    mkdir: folder => makingFolders(tools, trustedChild(folder, 'any'), () => inner.mkdir(folder)),
    remove: (path, how) => leaving(tools, path, () => inner.remove(path, how)),
    within: async (folder, guard) => meteredStore(await inner.within(folder, guard), joinPath(base, folder), metering),
    ...(inner.move && { move: meteredMove(tools, inner.move) }),
    ...(inner.copy && { copy: copyingIn(tools, inner.copy) }),
    ...(inner.kept && { kept: keptIn(tools, inner.kept) }),
    ...(inner.trees && { trees: treesIn(tools, inner.trees) }),
    quota: {
      counts: async path => (await places.over(path)).length > 0,
      usage: async folder => metering.usage(await places.in(folder)),
      async demand(path, amount) {
        const reservation = metering.begin()
        try {
          await reservation.take(await places.over(path), amount)
        } finally {
          await reservation.end()
        }
      },
    },
  }
}

interface Tools {
  inner: StorageDriver
  base: FilePath
  metering: Metering
  places: MeteredPlaces
}

/** Reserves the announced length of a file, less the file that it may replace. @throws quota_exceeded */
async function reserved(
  { places, metering }: Tools,
  path: FilePath,
  reservation: Reservation,
  { meters, how }: { meters: readonly Meter[]; how: Pick<PublishOptions, 'length' | 'ifAbsent'> },
): Promise<MeteredWrite> {
  const standing = how.ifAbsent ? undefined : await places.standing(path)
  const replaced = standing?.kind === 'file' ? amountOfFile(standing.size) : NOTHING
  const taken = positive(minus(amountOfFile(how.length ?? 0), replaced))
  try {
    await reservation.take(meters, taken)
  } catch (thrown) {
    await reservation.end()
    throw thrown
  }
  return { places, metering, path, reservation, taken, credit: replaced.bytes, hidden: false }
}

async function staging(write: MeteredWrite, stage: () => Promise<Awaited<ReturnType<StorageDriver['stage']>>>) {
  try {
    return new MeteredFile(await stage(), write)
  } catch (thrown) {
    await write.reservation.end()
    throw thrown
  }
}

/** The whole length stays reserved from the beginning to the end, across restarts. */
function resumableIn(tools: Tools): StorageDriver['resumable'] {
  const { inner, base, metering, places } = tools
  const idOf = (name: string) => `${base}\0${name}`
  return {
    async stage(path, how = {}) {
      const staged = await inner.resumable.stage(path)
      try {
        const meters = await places.over(path)
        // Ends with the upload, not with this request.
        if (meters.length > 0) await reserved(tools, path, metering.begin(idOf(staged.name)), { meters, how })
        return staged
      } catch (thrown) {
        await staged.close()
        await inner.resumable.discard(staged.name).catch(() => {})
        throw thrown
      }
    },
    async resume(name, size) {
      const staged = await inner.resumable.resume(name, size)
      if (!metering.isOn) return staged
      return new ResumedFile(staged, { places, metering, reservation: metering.begin(idOf(name)) })
    },
    async discard(name) {
      await inner.resumable.discard(name)
      if (metering.isOn) await metering.begin(idOf(name)).end()
    },
  }
}

type Resumed = Pick<MeteredWrite, 'places' | 'metering' | 'reservation'>
const ALL: Amount = { bytes: Number.POSITIVE_INFINITY, items: 1 }

/** An upload that continues: its length was reserved at the beginning. */
class ResumedFile extends MeteredFile {
  readonly #write: Resumed

  constructor(inner: Awaited<ReturnType<StorageDriver['stage']>>, write: Resumed) {
    super(inner, { ...write, path: ROOT, taken: ALL, credit: 0, hidden: true })
    this.#write = write
  }

  override async publish(path: FilePath, how: PublishOptions): Promise<Published> {
    const about = { ...this.#write, taken: NOTHING }
    const entry = await publishCounted(about, path, { ...how, size: this.size }, pinned => super.publish(path, pinned))
    await about.reservation.end()
    return entry
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#write.reservation.pause()
  }
}

/** Runs what takes an entry out of its place. */
async function leaving<T>({ places, metering }: Tools, path: FilePath, act: () => Promise<T>): Promise<T> {
  const meters = await places.over(path)
  if (!metering.isOn) return act()
  const place = await places.placeOf(path)
  if (meters.length === 0) return act().finally(() => metering.left(place))
  const reservation = metering.begin()
  await reservation.take(meters, NOTHING)
  const isTree = (await places.standing(path))?.kind === 'folder'
  try {
    const amount = await places.measure(path)
    const done = await act()
    reservation.add(meters, minus(NOTHING, amount))
    return done
  } catch (thrown) {
    if (isTree) reservation.doubt()
    throw thrown
  } finally {
    metering.left(place)
    await reservation.end({ tree: isTree })
  }
}

function copyingIn(tools: Tools, copy: NonNullable<StorageDriver['copy']>): NonNullable<StorageDriver['copy']> {
  const { places, metering } = tools
  return async (from, to, how) => {
    const meters = await places.over(to)
    if (meters.length === 0) return copy(from, to, how)
    const reservation = metering.begin()
    try {
      const { size = 0 } = (await places.standing(from)) ?? {}
      return await publishCounted({ places, metering, reservation, taken: NOTHING }, to, { ...how, size }, pinned =>
        copy(from, to, { ...how, ...pinned }),
      )
    } finally {
      await reservation.end()
    }
  }
}

/** What is kept does not count: an item leaves when it is set aside, and arrives when it is brought back. */
function keptIn(tools: Tools, kept: KeptThings): KeptThings {
  const { places, metering } = tools
  return {
    ...kept,
    setAside(path, planned, note, how) {
      const { instead } = how ?? {}
      const act = () => kept.setAside(path, planned, note, how)
      if (!instead) return leaving(tools, path, act)
      if ('from' in instead) return leaving(tools, path, () => meteredMove(tools, act)(instead.from, path))
      return leaving(tools, path, () => arriving(tools, instead.staged, path, act))
    },
    async bringBack(at, to, how) {
      const meters = await places.over(to)
      if (meters.length === 0) return kept.bringBack(at, to, how)
      const reservation = metering.begin()
      try {
        const store = await kept.open(at, () => true)
        const entry = await store.stat(joinPath(trustedChild(ROOT, at.name), how.inner ?? ROOT))
        const amount = entry ? await amountOf(store, entry) : NOTHING
        await reservation.take(meters, amount)
        await kept.bringBack(at, to, how)
        reservation.add(meters, amount)
      } finally {
        await reservation.end()
      }
    },
  }
}

/** A folder counts when it is published; what its caller announced is reserved until then. */
function treesIn(tools: Tools, trees: StagedTrees): StagedTrees {
  const { metering, places } = tools
  return {
    ...trees,
    async reserve(folder, amount = ITSELF) {
      const meters = await places.over(folder)
      const reserve = () => makingFolders(tools, folder, () => trees.reserve(folder))
      if (meters.length === 0) return reserve()
      const reservation = metering.begin()
      try {
        await reservation.take(meters, amount)
        const staged = await reserve()
        stagedOf(metering).set(keyOf(tools, staged), { reservation, taken: amount })
        return staged
      } catch (thrown) {
        await reservation.end()
        throw thrown
      }
    },
    publish: (staged, folder, how) =>
      replacingEmpty(tools, folder, how?.claimed === true, () =>
        arriving(tools, staged, folder, () => trees.publish(staged, folder, how)),
      ),
    async discard(staged) {
      await trees.discard(staged)
      await endStaged(tools, staged)
    },
  }
}

const ITSELF: Amount = { bytes: 0, items: 1 }

/** Runs what may take the place of an empty folder. */
async function replacingEmpty(tools: Tools, folder: FilePath, isClaimed: boolean, act: () => Promise<void>) {
  const meters = isClaimed ? await tools.places.over(folder) : []
  const stands = meters.length > 0 && (await tools.places.standing(folder)) !== undefined
  await act()
  if (!stands) return
  const reservation = tools.metering.begin()
  await reservation.take(meters, NOTHING)
  reservation.add(meters, minus(NOTHING, ITSELF))
  await reservation.end()
}

/** Runs what gives a staged folder its path. */
async function arriving(tools: Tools, staged: string, folder: FilePath, act: () => Promise<void>): Promise<void> {
  const { inner, metering, places } = tools
  const meters = await places.over(folder)
  if (meters.length > 0 && inner.trees) {
    const key = keyOf(tools, staged)
    const { reservation, taken } = stagedOf(metering).get(key) ?? { reservation: metering.begin(), taken: NOTHING }
    stagedOf(metering).set(key, { reservation, taken })
    const amount = await amountOfFolder(await inner.trees.store(staged, folder), ROOT)
    await reservation.take(meters, positive(minus(amount, taken)))
    await act()
    reservation.add(meters, amount)
  } else await act()
  await endStaged(tools, staged)
}

type StagedRoom = Map<string, { reservation: Reservation; taken: Amount }>

/** What is reserved for staged folders: a guarded store and an unguarded one publish the same folder. */
const stagedRooms = new WeakMap<Metering, StagedRoom>()

function stagedOf(metering: Metering): StagedRoom {
  const room = stagedRooms.get(metering) ?? new Map()
  stagedRooms.set(metering, room)
  return room
}

const keyOf = ({ base }: Tools, staged: string) => `${base}\0${staged}`

async function endStaged(tools: Tools, staged: string): Promise<void> {
  const [room, key] = [stagedOf(tools.metering), keyOf(tools, staged)]
  await room.get(key)?.reservation.end()
  room.delete(key)
}
