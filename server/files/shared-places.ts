import type { HeldMount } from '../../shared/api/mounts.ts'
import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT } from '../../shared/path.ts'
import type { Permissions } from '../../shared/permissions.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { type Base, baseAt } from './base.ts'
import type { Policy } from './policy.ts'

/** Where a place comes from, as the reason of a decision. */
export type PlaceOrigin =
  | { kind: 'mount'; isReadOnly: boolean; given: HeldMount['given'] }
  | { kind: 'shared'; owner: string | undefined }

/** One of the places that a user's files consist of, besides the user's own scope. */
export interface Place {
  /** The path under which the user sees it. */
  visible: FilePath
  /** The folder of the served root that it is, or for a single file the one that the file lies in. */
  folder: FilePath
  /** The top of the place in that folder: the folder itself, or the file. */
  top: FilePath
  /** When it came to the user, in milliseconds since the epoch. */
  since: number
  /** What the user may do there; paths are relative to the folder. */
  policy: Policy
  /** The permissions that count there. */
  perm: Permissions
  /** What it is, and who gave it. */
  origin: PlaceOrigin
  /** The other root that it lies in; a place without one lies in the first root. */
  root?: string
  /** The real path of a path in the folder, for programs; only of a place in another root. */
  realPath?(inner: FilePath): FilePath | string
  /** Gives it another name for this user; only where the user may choose one. @throws exists */
  rename?(name: string): Promise<void>
  /**
   * The folder as a store, guarded by the policy or whole. It is checked that the same object is there.
   * @throws not_found, forbidden
   */
  open(how: 'guarded' | 'whole'): Promise<StorageDriver>
}

/**
 * The places of a user: those in other roots at the top of the user's own scope, all others in one folder there. At none
 * of these paths stands anything of the user's own.
 */
export interface PlaceList {
  /** The path of that folder; nothing where there is nothing in it. */
  at: FilePath | undefined
  places: readonly Place[]
}

/** What a path of the user leads to: the own scope, the folder of the places or an unknown name in it, or a place. */
export type Spot = { kind: 'own' } | { kind: 'hall'; isTop: boolean } | { kind: 'place'; place: Place; inner: FilePath }

const OWN: Spot = { kind: 'own' }

export function spotOf({ at, places }: PlaceList, path: FilePath): Spot {
  const isInHall = at !== undefined && isWithin(path, at)
  const place = places.find(({ visible, root }) => (root === undefined) === isInHall && isWithin(path, visible))
  if (place) return { kind: 'place', place, inner: innerOf(place, path) }
  return isInHall ? { kind: 'hall', isTop: path === at } : OWN
}

/** The path in the folder of a place of a visible path. */
export const innerOf = ({ visible, top }: Pick<Place, 'visible' | 'top'>, path: FilePath): FilePath =>
  joinPath(top, (path.slice(visible === ROOT ? 0 : visible.length) || ROOT) as FilePath)

/** The visible path of a path in the folder of a place; what lies next to a single file has none of its own. */
export const outerOf = ({ visible, top }: Pick<Place, 'visible' | 'top'>, inner: FilePath): FilePath =>
  isWithin(inner, top) ? joinPath(visible, (inner.slice(top === ROOT ? 0 : top.length) || ROOT) as FilePath) : visible

/** The names of what others share with a user, in the folder that holds these things. */
export interface SharedNames {
  /** Whether a move only gives one of them another name, which needs no right. */
  areMeant(from: FilePath, to: FilePath): boolean
  /** @throws exists */
  rename(from: FilePath, to: FilePath): Promise<void>
}

/** The things keep their places, and their names for others. */
export function sharedNames({ at, places }: PlaceList): SharedNames | undefined {
  if (at === undefined) return undefined
  const placeAt = (path: FilePath) => places.find(({ visible }) => visible === path)
  return {
    areMeant: (from, to) => parentOf(to) === at && placeAt(from)?.rename !== undefined,
    async rename(from, to) {
      if (placeAt(to)) throw new AppError('exists')
      await placeAt(from)?.rename?.(nameOf(to))
    },
  }
}

/** Where the paths of a user with several places lie. The folder of the places has a place where nothing stands. */
export function joinedBase(own: Base, all: PlaceList): Base {
  return {
    elsewhere: all.places.flatMap(({ folder, root }) => (root === undefined ? [] : folder)),
    placeOf(path) {
      const spot = spotOf(all, path)
      return spot.kind === 'place' ? joinPath(spot.place.folder, spot.inner) : own.placeOf(path)
    },
    pathOf(at) {
      const path = own.pathOf(at)
      if (path !== undefined) return path
      const place = all.places.find(({ folder, top }) => isWithin(at, joinPath(folder, top)))
      if (!place) return undefined
      return outerOf(place, baseAt(place.folder).pathOf(at) ?? ROOT)
    },
  }
}

/** Whether a path is a place itself, or what holds the places: it can be neither moved nor removed. */
export const isFixed = (spot: Spot, path: FilePath): boolean =>
  spot.kind === 'hall' || (spot.kind === 'place' && path === spot.place.visible)
