import { type FilePath, ROOT } from '../../shared/path.ts'
import { isInOtherRoot, markOf, pathInRoot, placeInRoot } from '../../shared/places.ts'
import { AppError } from '../errors.ts'
import type { Entry } from './entry.ts'
import type { AsideOptions, KeepReplaced, KeptAt, KeptIn } from './kept.ts'

type AreaPlace = Pick<KeptAt, 'home' | 'area'>

/**
 * What a further root keeps, by its places in the served roots (`shared/places.ts`), and with identities that have the
 * root before them. Paths are those of the root's own store.
 */
export function keptInRoot<Store>(kept: KeptIn<Store>, root: string): KeptIn<Store> {
  const mark = markOf(root)
  const placed = (path: FilePath) => placeInRoot({ root, path })
  const outer = <At extends AreaPlace>(at: At): At => ({ ...at, home: placed(at.home) })
  const inner = <At extends AreaPlace>(at: At): At => {
    const home = pathInRoot(at.home)
    if (home?.root !== root) throw new AppError('unsupported', 'it is kept in another root')
    return { ...at, home: home.path }
  }
  const { exchanges, complete, leaving, unsafe, forgetsAfter } = kept
  return {
    async plan(path, id) {
      const { at, was, place } = await kept.plan(path, id)
      return { at: outer(at), was: marked(was, mark), place: placed(place) }
    },
    async setAside(path, { at, was }, note, how) {
      const planned = { at: inner(at), was: unmarked(was, mark) }
      await kept.setAside(path, planned, note, how && asideIn(how, mark))
    },
    ...(exchanges !== undefined && { exchanges }),
    async look(at) {
      const entry = await kept.look(inner(at))
      return entry && marked(entry, mark)
    },
    bringBack: async (at, to, how) => kept.bringBack(inner(at), to, how),
    ...(complete && { complete: async (at, begun) => complete(inner(at), begun) }),
    open: async (at, guard) => kept.open(inner(at), guard),
    moveTo: async (at, to) => outer(await kept.moveTo(inner(at), inner(to))),
    drop: async at => kept.drop(inner(at)),
    clear: async area => kept.clear(inner(area)),
    ...(leaving && { leaving: async area => leaving(inner(area)) }),
    async *find(area) {
      for await (const { at, was, note, ...rest } of kept.find(inner(area))) {
        const noted = note && { ...note, place: placed(note.place) }
        yield { ...rest, at: outer(at), was: marked(was, mark), note: noted }
      }
    },
    async area(home) {
      const area = await kept.area(inner({ home, area: '' }).home)
      return area && outer(area)
    },
    ...(unsafe && { unsafe: () => unsafe() }),
    ...(forgetsAfter && { forgetsAfter: () => forgetsAfter() }),
    likelyHomes: () => kept.likelyHomes().map(placed),
    hiddenPaths: () => kept.hiddenPaths(),
  }
}

/** What keeps a replaced file of a further root, as the root's own store calls it. */
export const keepInRoot = (keep: KeepReplaced, root: string): KeepReplaced => ({
  ...keep,
  kept({ at, was, place, identity, made, ...rest }) {
    const mark = markOf(root)
    return keep.kept({
      ...rest,
      at: { ...at, home: placeInRoot({ root, path: at.home }) },
      was: marked(was, mark),
      place: placeInRoot({ root, path: place }),
      identity: mark + identity,
      made: mark + made,
    })
  },
})

/** The further roots, as far as what they keep. */
export interface KeepingRoots<Store> {
  names(): readonly string[]
  /** What a root keeps, by its places in the served roots. @throws unavailable, unsupported */
  open(root: string): Promise<KeptIn<Store>>
}

/**
 * What is kept in all served roots. By its area a thing is found in each; paths are those of the first root, and refuse a
 * place in another one.
 */
export function keptInRoots<Store>(main: KeptIn<Store>, roots: KeepingRoots<Store>): KeptIn<Store> {
  const at = async ({ home }: AreaPlace): Promise<KeptIn<Store>> => {
    const rooted = pathInRoot(home)
    return rooted ? roots.open(rooted.root) : main
  }
  return {
    ...main,
    plan: async (path, id) => main.plan(ownPath(path), id),
    setAside: async (path, planned, note, how) => main.setAside(ownPath(path), ownThing(planned), note, how),
    bringBack: async (thing, to, how) => main.bringBack(ownThing({ at: thing }).at, ownPath(to), how),
    look: async thing => (await at(thing)).look(thing),
    complete: async (thing, begun) => (await at(thing)).complete?.(thing, begun),
    open: async (thing, guard) => (await at(thing)).open(thing, guard),
    async moveTo(thing, to) {
      if (pathInRoot(thing.home)?.root !== pathInRoot(to.home)?.root) throw new AppError('unsupported')
      return (await at(thing)).moveTo(thing, to)
    },
    drop: async thing => (await at(thing)).drop(thing),
    clear: async area => (await at(area)).clear(area),
    leaving: async area => (await (await at(area)).leaving?.(area)) ?? 0,
    async *find(area) {
      yield* (await at(area)).find(area)
    },
    area: async home => (await at({ home, area: '' })).area(home),
    async unsafe() {
      const found = [...((await main.unsafe?.()) ?? [])]
      for (const root of roots.names()) {
        const kept = await roots.open(root).catch(() => undefined)
        found.push(...((await kept?.unsafe?.().catch(() => [])) ?? []))
      }
      return found
    },
    likelyHomes: () => [...main.likelyHomes(), ...roots.names().map(root => placeInRoot({ root, path: ROOT }))],
  }
}

/** @throws forbidden for a place in another root */
function ownPath(path: FilePath): FilePath {
  if (isInOtherRoot(path)) throw new AppError('forbidden')
  return path
}

/** @throws unsupported for what is kept in another root */
function ownThing<Thing extends { at: KeptAt }>(thing: Thing): Thing {
  if (isInOtherRoot(thing.at.home)) throw new AppError('unsupported', 'it is kept in another root')
  return thing
}

const marked = ({ version, identity, ...entry }: Entry, mark: string): Entry => ({
  ...entry,
  version: mark + version,
  identity: mark + identity,
})

const unmarked = ({ version, identity, ...entry }: Entry, mark: string): Entry => ({
  ...entry,
  version: version.slice(mark.length),
  identity: identity.slice(mark.length),
})

const asideIn = (how: AsideOptions, mark: string): AsideOptions => ({
  ...how,
  copied: identity => how.copied(mark + identity),
})
