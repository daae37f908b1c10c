import { type FilePath, isWithin, joinPath, ROOT } from '../../shared/path.ts'
import { markOf } from '../../shared/places.ts'
import { AppError } from '../errors.ts'
import {
  type Disk,
  type KeptThings,
  keepInRoot,
  keptInRoot,
  type MoveOptions,
  type StorageDriver,
} from '../storage/driver.ts'
import {
  conditionIn,
  entriesAs,
  entryAs,
  foundAs,
  openedAs,
  type PathNames,
  publication,
  removal,
  resumableAs,
  sortedAs,
  stagedAs,
} from './entry-as.ts'
import { innerOf, outerOf, type Place } from './shared-places.ts'
import { handleIn, innerHandle } from './staged-handles.ts'

type Seen = Pick<Place, 'visible' | 'folder' | 'top' | 'root'>

/** The store of a place, by the paths under which the user sees it. */
export function storeBelow(store: StorageDriver, place: Seen): StorageDriver {
  const names = namesIn(place)
  const { inner } = names
  const { sorted, move, copy, disk, scan, kept, trees, quota } = store
  return {
    async stat(path) {
      const entry = await store.stat(inner(path))
      return entry && entryAs(names, entry)
    },
    list: folder => entriesAs(names, store.list(inner(folder))),
    ...(sorted && { sorted: async (folder, ...how) => sortedAs(names, await sorted(inner(folder), ...how)) }),
    read: async path => openedAs(names, await store.read(inner(path))),
    stage: async (path, how) => stagedAs(names, await store.stage(inner(path), how)),
    mkdir: path => store.mkdir(inner(path)),
    remove: (path, how) => store.remove(inner(path), how && removal(names, how)),
    async within(folder, guard) {
      const narrow = await store.within(inner(folder), guard)
      if (place.root === undefined) return narrow
      const { root } = place
      return storeBelow(narrow, { visible: ROOT, folder: joinPath(place.folder, inner(folder)), top: ROOT, root })
    },
    ...(move && { move: (from, to, how) => move(inner(from), inner(to), how && moving(names, how)) }),
    ...(copy && {
      copy: async (from, to, how) => entryAs(names, await copy(inner(from), inner(to), publication(names, how))),
    }),
    ...(disk && { disk: diskBelow(disk, names) }),
    ...(scan && {
      scan: {
        hasSizes: scan.hasSizes,
        names: (folder: FilePath, words: readonly string[]) => foundAs(names, scan.names(inner(folder), words)),
      },
    }),
    ...(kept && { kept: keptBelow(place.root === undefined ? kept : keptInRoot(kept, place.root), names) }),
    ...(trees && { trees: treesBelow(trees, names, place) }),
    ...(quota && {
      quota: {
        counts: path => quota.counts(inner(path)),
        usage: folder => quota.usage(inner(folder)),
        demand: (path, amount) => quota.demand(inner(path), amount),
      },
    }),
    resumable: {
      async stage(file, how) {
        const staged = await store.resumable.stage(inner(file), how)
        return resumableAs(names, staged, handleIn(place.folder, staged.name))
      },
      async resume(name, size) {
        return resumableAs(names, await store.resumable.resume(innerHandle(name), size), name)
      },
      discard: name => store.resumable.discard(innerHandle(name)),
    },
  }
}

/** How the paths of a place are called by its user. */
function namesIn(place: Seen): PathNames {
  const { root } = place
  return {
    mark: markOf(root),
    keeping: keep => (root === undefined ? keep : keepInRoot(keep, root)),
    inner(path) {
      if (!isWithin(path, place.visible)) throw new AppError('unsupported', 'the path is in another place')
      return innerOf(place, path)
    },
    outer: inner => outerOf(place, inner),
  }
}

const moving = (names: PathNames, { over, ...how }: MoveOptions): MoveOptions => ({
  ...how,
  ...(over && { over: publication(names, over) }),
})

/** What is found by its area, and not by a path, is the same for all stores. @param kept identities are the user's */
const keptBelow = (kept: KeptThings, names: PathNames): KeptThings => ({
  ...kept,
  async plan(path, id) {
    const planned = await kept.plan(names.inner(path), id)
    return { ...planned, was: entryAs({ ...names, mark: '' }, planned.was) }
  },
  setAside(path, planned, note, how) {
    const { instead } = how ?? {}
    if (!how || !instead) return kept.setAside(names.inner(path), planned, note, how)
    const inner = 'staged' in instead ? { staged: innerHandle(instead.staged) } : { from: names.inner(instead.from) }
    return kept.setAside(names.inner(path), planned, note, { ...how, instead: inner })
  },
  bringBack: (at, to, how) => kept.bringBack(at, names.inner(to), { ...how, as: names.inner(how.as) }),
})

const diskBelow = (disk: Disk, names: PathNames): Disk => ({
  usage: folder => disk.usage(names.inner(folder)),
  rights: path => disk.rights(names.inner(path)),
  setMode: (folder, mode) => disk.setMode(names.inner(folder), mode),
  setTime: (path, modified) => disk.setTime(names.inner(path), modified),
  linkOver: (path, { to, identity, ...how }) =>
    disk.linkOver(names.inner(path), {
      ...conditionIn(names, how),
      identity: identity.slice(names.mark.length),
      to: names.inner(to),
    }),
  pathOf: path => disk.pathOf(names.inner(path)),
  holdRoot: () => disk.holdRoot(),
  batchReader: () => undefined,
  watch: (folder, notify) => disk.watch(names.inner(folder), notify),
})

/** Files of other places get into a staged folder one by one. */
const treesBelow = (
  trees: NonNullable<StorageDriver['trees']>,
  { inner }: PathNames,
  { folder, root }: Seen,
): NonNullable<StorageDriver['trees']> => ({
  reserve: async (path, amount) => handleIn(folder, await trees.reserve(inner(path), amount)),
  async store(staged, path) {
    const store = await trees.store(innerHandle(staged), inner(path))
    return root === undefined ? store : storeBelow(store, { visible: ROOT, folder, top: ROOT, root })
  },
  publish: (staged, path, how) => trees.publish(innerHandle(staged), inner(path), how),
  discard: staged => trees.discard(innerHandle(staged)),
})
