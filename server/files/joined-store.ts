import { type FilePath, joinPath, nameOf, ROOT } from '../../shared/path.ts'
import { pathInRoot } from '../../shared/places.ts'
import { AppError } from '../errors.ts'
import {
  type Disk,
  type Entry,
  type KeptThings,
  type PathGuard,
  type StorageDriver,
  writeFile,
} from '../storage/driver.ts'
import { sortAll } from './listing.ts'
import { isFixed, outerOf, type Place, type PlaceList, spotOf } from './shared-places.ts'
import { folderOfHandle } from './staged-handles.ts'
import { storeBelow } from './store-below.ts'

/** Permission bits of the folder of the places: no user writes into it. */
const HALL_MODE = 0o750

export interface JoinedOptions {
  all: PlaceList
  /** The user's own scope. */
  own: StorageDriver
  /** The store of a place by its own paths. */
  open(place: Place): Promise<StorageDriver>
  /** The whole served root, for real paths. */
  served: StorageDriver
}

/** The store that a path leads to, by the paths of the user. @throws forbidden, or `not_found` in the folder of the places */
type Locate = (path: FilePath) => Promise<StorageDriver>

/**
 * The user's own scope and the places in it as one store. Between places nothing is renamed and no store copies: what
 * goes from one to another is read here and written there. The folder of the places, and the places next to it, are
 * listed as links, so that no walk of the own scope leads into them; no place is asked for that list.
 */
export function joinedStore(options: JoinedOptions): StorageDriver {
  const { all, own } = options
  const locate = locator(options)
  const stat = async (path: FilePath): Promise<Entry | undefined> => {
    const spot = spotOf(all, path)
    if (spot.kind === 'hall') return spot.isTop ? topOf(path, all.places.filter(isInHall)) : undefined
    return (await locate(path)).stat(path)
  }
  const list = (folder: FilePath) => listed(options, locate, folder)
  const { sorted, move, copy, disk, scan, kept, trees, snapshots, quota } = own
  return {
    stat,
    list,
    ...(sorted && {
      async sorted(folder, sorting, each) {
        const isMixed = folder === ROOT || folder === all.at
        const store = isMixed ? undefined : await locate(folder)
        if (store?.sorted) return store.sorted(folder, sorting, each)
        const entry = await stat(folder)
        if (!entry) throw new AppError('not_found')
        return sortAll({ list }, entry, sorting)
      },
    }),
    read: async path => (await locate(path)).read(path),
    stage: async (path, how) => (await locate(path)).stage(path, how),
    mkdir: async path => (await locate(path)).mkdir(path),
    async remove(path, how) {
      if (isFixed(spotOf(all, path), path)) throw new AppError('forbidden')
      await (await locate(path)).remove(path, how)
    },
    within: (folder, guard) => narrowed(options, locate, folder, guard),
    ...(move && {
      async move(from, to, how) {
        const [store, other] = [await locate(from), await locate(to)]
        if (store !== other || !store.move) throw new AppError('unsupported', 'between places nothing is renamed')
        await store.move(from, to, how)
      },
    }),
    ...(copy && {
      async copy(from, to, how) {
        const [store, other] = [await locate(from), await locate(to)]
        if (store === other && store.copy) return store.copy(from, to, how)
        const file = await store.read(from)
        try {
          const { size: length, mode, modified } = file.entry
          return await writeFile(other, to, file.stream(), { length, mode, modified, ...how })
        } finally {
          await file.close()
        }
      },
    }),
    ...(disk && { disk: joinedDisk(options, disk, locate) }),
    ...(scan && {
      scan: {
        // Another root may know no sizes.
        hasSizes: scan.hasSizes && all.places.every(isInHall),
        async *names(folder, words) {
          const found = (await locate(folder)).scan?.names(folder, words)
          if (found) yield* found
        },
      },
    }),
    placeInRoot(canonical) {
      const spot = spotOf(all, canonical)
      if (spot.kind === 'place') return joinPath(spot.place.folder, spot.inner)
      return spot.kind === 'own' ? own.placeInRoot?.(canonical) : undefined
    },
    ...(kept && { kept: joinedKept(options, kept, locate) }),
    ...(trees && {
      trees: {
        ...trees,
        reserve: async (folder, amount) => treesOf(await locate(folder)).reserve(folder, amount),
        store: async (staged, folder) => treesOf(await locate(folder)).store(staged, folder),
        publish: async (staged, folder, how) => treesOf(await locate(folder)).publish(staged, folder, how),
        discard: async staged => treesOf(await staging(options, locate, staged)).discard(staged),
        batchCopier: async (staged, folder) => treesOf(await locate(folder)).batchCopier?.(staged, folder),
      },
    }),
    ...(quota && {
      quota: {
        counts: async path => (await (await locate(path)).quota?.counts(path)) === true,
        usage: async folder => (folder === all.at ? undefined : (await locate(folder)).quota?.usage(folder)),
        demand: async (path, amount) => (await locate(path)).quota?.demand(path, amount),
      },
    }),
    ...(snapshots && { snapshots }),
    resumable: {
      stage: async (file, how) => (await locate(file)).resumable.stage(file, how),
      resume: async (name, size) => (await staging(options, locate, name)).resumable.resume(name, size),
      discard: async name => (await staging(options, locate, name)).resumable.discard(name),
    },
  }
}

function locator({ all, own, open }: JoinedOptions): Locate {
  const opened = new Map<Place, Promise<StorageDriver>>()
  return async path => {
    const spot = spotOf(all, path)
    if (spot.kind === 'own') return own
    if (spot.kind === 'hall') throw new AppError('forbidden')
    const { place } = spot
    const store = opened.get(place) ?? open(place).then(inner => storeBelow(inner, place))
    opened.set(place, store)
    return store
  }
}

/** The store in which something is staged. @throws not_found for a place that is no longer the user's */
async function staging({ all, own }: JoinedOptions, locate: Locate, handle: string): Promise<StorageDriver> {
  const folder = folderOfHandle(handle)
  if (folder === undefined) return own
  const place = all.places.find(one => one.folder === folder)
  if (!place) throw new AppError('not_found')
  return locate(place.visible)
}

async function* listed(options: JoinedOptions, locate: Locate, folder: FilePath): AsyncGenerator<Entry[]> {
  const { all, own } = options
  if (folder === ROOT) yield* withTops(own, topsOf(all))
  else if (folder === all.at) yield await placesIn(all, locate)
  else yield* (await locate(folder)).list(folder)
}

/** The children of the own scope with what is next to them, in the order of their names where the store has one. */
async function* withTops(own: StorageDriver, tops: readonly Entry[]): AsyncGenerator<Entry[]> {
  const ahead = [...tops]
  for await (const batch of own.list(ROOT)) {
    if (!own.sorted || ahead.length === 0) {
      yield batch
      continue
    }
    const merged: Entry[] = []
    for (const entry of batch) {
      while (ahead[0] && ahead[0].name < entry.name) merged.push(...ahead.splice(0, 1))
      merged.push(entry)
    }
    yield merged
  }
  if (ahead.length > 0) yield ahead
}

/** What is gone, and what its owner may no longer see, is left out. */
async function placesIn({ places }: PlaceList, locate: Locate): Promise<Entry[]> {
  const entries = places.filter(isInHall).map(({ visible }) =>
    locate(visible)
      .then(store => store.stat(visible))
      .catch(thrown => {
        if (thrown instanceof AppError) return undefined
        throw thrown
      }),
  )
  const found = (await Promise.all(entries)).filter(entry => entry !== undefined)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const isInHall = ({ root }: Place): boolean => root === undefined

/** What stands next to the own entries, by name. */
function topsOf({ at, places }: PlaceList): Entry[] {
  const others = places.filter(place => !isInHall(place)).map(place => topOf(place.visible, [place]))
  const tops = at === undefined ? others : [...others, topOf(at, places.filter(isInHall))]
  return tops.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function topOf(path: FilePath, places: readonly Place[]): Entry {
  const modified = Math.max(0, ...places.map(({ since }) => since))
  const version = `${places.length}-${modified}`
  const about = { kind: 'folder', isLink: true, size: 0, modified, mode: HALL_MODE } as const
  return { name: nameOf(path), path, canonical: path, ...about, version, identity: `places-${path}` }
}

/** With the root of the own scope; the guard receives the paths of the user. */
async function narrowed(
  options: JoinedOptions,
  locate: Locate,
  folder: FilePath,
  guard: PathGuard | undefined,
): Promise<StorageDriver> {
  if (folder !== ROOT) return (await locate(folder)).within(folder, guard)
  if (!guard) return joinedStore(options)
  const open = async (place: Place) => {
    const store = await options.open(place)
    return store.within(ROOT, inner => guard(outerOf(place, inner)))
  }
  return joinedStore({ ...options, own: await options.own.within(ROOT, guard), open })
}

function joinedDisk({ all, served }: JoinedOptions, own: Disk, locate: Locate): Disk {
  const diskAt = async (path: FilePath) => {
    const { disk } = await locate(path)
    if (!disk) throw new AppError('unsupported')
    return disk
  }
  // By its path they would be those of the own scope.
  const { attributes: _, ...rest } = own
  return {
    ...rest,
    async usage(folder) {
      if (folder === all.at) return own.usage(ROOT)
      return (await locate(folder)).disk?.usage(folder) ?? { total: 0, used: 0 }
    },
    rights: async path => (await diskAt(path)).rights(path),
    setMode: async (folder, mode) => (await locate(folder)).disk?.setMode(folder, mode),
    setTime: async (path, modified) => (await diskAt(path)).setTime(path, modified),
    linkOver: async (path, how) => (await diskAt(path)).linkOver(path, how),
    pathOf(path) {
      const spot = spotOf(all, path)
      if (spot.kind === 'own') return own.pathOf(path)
      if (spot.kind === 'place' && spot.place.realPath) return spot.place.realPath(spot.inner)
      if (spot.kind === 'hall' || !served.disk) throw new AppError('unsupported')
      return served.disk.pathOf(joinPath(spot.place.folder, spot.inner))
    },
    // It reads by names in the own scope only.
    batchReader: () => undefined,
    async watch(folder, notify) {
      if (folder === all.at) return () => {}
      return (await locate(folder)).disk?.watch(folder, notify) ?? (() => {})
    },
  }
}

/**
 * What is kept in the own scope and in the places. Nothing goes from the area of one root to a path in another but as a copy. By its
 * area a thing is found in the whole served roots; callers ask for what its record shows them.
 */
function joinedKept({ all, served }: JoinedOptions, own: KeptThings, locate: Locate): KeptThings {
  const kept = keptOf(served)
  const rootAt = (path: FilePath) => {
    const spot = spotOf(all, path)
    return spot.kind === 'place' ? spot.place.root : undefined
  }
  return {
    ...kept,
    hiddenPaths: () => own.hiddenPaths(),
    plan: async (path, id) => keptOf(await locate(path)).plan(path, id),
    async setAside(path, planned, note, how) {
      const store = keptOf(await locate(path))
      const { instead } = how ?? {}
      const isApart = instead && 'from' in instead && keptOf(await locate(instead.from)) !== store
      if (instead && (isApart || !store.exchanges)) throw new AppError('unsupported')
      await store.setAside(path, planned, note, how)
    },
    reaches: (at, to) => pathInRoot(at.home)?.root === rootAt(to),
    async bringBack(at, to, how) {
      if (pathInRoot(at.home)?.root !== rootAt(to)) throw new AppError('unsupported', 'it is kept in another root')
      await keptOf(await locate(to)).bringBack(at, to, how)
    },
    async open(at, guard) {
      const store = await kept.open(at, guard)
      const root = pathInRoot(at.home)?.root
      return root === undefined ? store : storeBelow(store, { visible: ROOT, folder: at.home, top: ROOT, root })
    },
  }
}

const keptOf = ({ kept }: StorageDriver) => kept ?? unsupported()
const treesOf = ({ trees }: StorageDriver) => trees ?? unsupported()

function unsupported(): never {
  throw new AppError('unsupported')
}
