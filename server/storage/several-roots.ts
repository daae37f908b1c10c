import { type FilePath, joinPath, ROOT } from '../../shared/path.ts'
import { isInOtherRoot, markOf, pathInRoot, placeInRoot, type RootedPath } from '../../shared/places.ts'
import { AppError } from '../errors.ts'
import type { Cleanup, Entry, StorageDriver } from './driver.ts'
import { EVERYTHING } from './guard.ts'
import { keptInRoot, keptInRoots } from './kept-in-root.ts'
import { notedInRoot, type Roots } from './roots.ts'

/**
 * The root of `--root`, with the other roots by their places (`shared/places.ts`): `within` opens a folder of any root,
 * `stat` describes what is in it, and `kept` finds what any of them keeps. Everything else is of the first root, and refuses a place in another one: the paths of a
 * driver would lead it to an entry of its own. A store within has the paths of its root alone.
 */
export function severalRoots(main: StorageDriver, roots: Pick<Roots, 'open' | 'list'> | undefined): StorageDriver {
  const { sorted, move, copy, cleanup, kept } = main
  const open = async (root: string) => {
    if (!roots) throw new AppError('unavailable', 'the root is not configured')
    return roots.open(root)
  }
  const keptOf = async (root: string) => {
    const store = await open(root)
    if (!store.kept) throw new AppError('unsupported')
    return keptInRoot(store.kept, root)
  }
  return {
    ...main,
    stat: path => {
      const rooted = pathInRoot(path)
      return rooted ? statIn(open, rooted) : main.stat(path)
    },
    list: folder => main.list(own(folder)),
    ...(sorted && { sorted: (folder, ...how) => sorted(own(folder), ...how) }),
    read: async file => main.read(own(file)),
    stage: async (file, how) => main.stage(own(file), how),
    mkdir: async folder => main.mkdir(own(folder)),
    remove: async (path, how) => main.remove(own(path), how),
    ...(move && { move: async (from, to, how) => move(own(from), own(to), how) }),
    ...(copy && { copy: async (from, to, how) => copy(own(from), own(to), how) }),
    async within(folder, guard) {
      const rooted = pathInRoot(folder)
      if (rooted) return (await open(rooted.root)).within(rooted.path, guard)
      const store = await main.within(folder, guard)
      if (folder !== ROOT || guard !== EVERYTHING) return store
      return severalRoots(
        store,
        roots && { list: roots.list, open: async root => (await roots.open(root)).within(ROOT, guard) },
      )
    },
    ...(kept && { kept: keptInRoots(kept, { names: () => roots?.list.map(({ name }) => name) ?? [], open: keptOf }) }),
    ...(cleanup && { cleanup: cleanupIn(cleanup, open) }),
  }
}

/** @throws forbidden for a place in another root */
function own(path: FilePath): FilePath {
  if (isInOtherRoot(path)) throw new AppError('forbidden')
  return path
}

async function statIn(
  open: (root: string) => Promise<StorageDriver>,
  { root, path }: RootedPath,
): Promise<Entry | undefined> {
  const entry = await (await open(root)).stat(path)
  if (!entry) return undefined
  const top = placeInRoot({ root, path: ROOT })
  const { version, identity, ...rest } = entry
  const marked = { version: markOf(root) + version, identity: markOf(root) + identity }
  return { ...rest, ...marked, path: joinPath(top, path), canonical: joinPath(top, entry.canonical) }
}

/** @throws unavailable for a root that is not there: what was noted of it stays */
function cleanupIn(main: Cleanup, open: (root: string) => Promise<StorageDriver>): Cleanup {
  const { sweepFolder } = main
  return {
    async sweep(place, how) {
      const noted = notedInRoot(place)
      if (!noted) return main.sweep(place, how)
      return (await (await open(noted.root)).cleanup?.sweep(noted.place, how)) ?? 0
    },
    ...(sweepFolder && {
      async sweepFolder(folder, madeAt) {
        const noted = notedInRoot(folder)
        if (!noted) return sweepFolder(folder, madeAt)
        await (await open(noted.root)).cleanup?.sweepFolder?.(noted.place, madeAt)
      },
    }),
  }
}
