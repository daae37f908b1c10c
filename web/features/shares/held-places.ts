import type { GivenRight, GrantRight, ReceivedGrant } from '../../../shared/api/grants.ts'
import type { OwnMount } from '../../../shared/api/mounts.ts'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import type { TokenUser } from '../../../shared/api/users.ts'
import { type FilePath, isWithin, ROOT } from '../../../shared/path.ts'
import type { OtherPlaces } from '../../lib/other-places.ts'
import type { Route } from '../../lib/router.tsx'

/** The folders in a user's files that are not the user's own. */
export interface HeldPlaces {
  /** The folder that holds what others share, if they share anything. */
  folder: FilePath | undefined
  items: readonly Pick<ReceivedGrant, 'path' | 'rights'>[]
  mounts: readonly OwnMount[]
}

/** What the user may do at a path that is not among their own. */
interface Spot {
  rights: readonly GivenRight[]
  /** It is a place itself, or the folder that holds what others share. */
  isFixed: boolean
  trash: boolean
  /** It lies in a folder of another root. */
  isMount?: boolean
  /** It is the folder that holds what others share. */
  isHall?: boolean
  /** It is something that others share: the user may name it. */
  isNamed?: boolean
}

function spotAt({ folder, items, mounts }: HeldPlaces, path: FilePath): Spot | undefined {
  const mount = mounts.find(one => isWithin(path, one.path as FilePath))
  if (mount) return { rights: mount.rights, isFixed: path === mount.path, trash: mount.trash, isMount: true }
  if (folder === undefined || !isWithin(path, folder)) return undefined
  const item = items.find(one => isWithin(path, one.path as FilePath))
  const isHall = path === folder
  const isNamed = path === item?.path
  return { rights: item?.rights ?? [], isFixed: isHall || isNamed, trash: true, isHall, isNamed }
}

const pathOf = ({ path }: Pick<ResourceItem, 'path'>) => (path.replace(/\/$/, '') || ROOT) as FilePath

/** What holds in a user's files where they are not the user's own. */
export function rightsIn(
  held: HeldPlaces,
  mayCreateAtHome: () => boolean,
): Pick<OtherPlaces, 'userAt' | 'mayCreateAt' | 'isInMount' | 'sharesLinks' | 'hasTrash' | 'stay'> {
  const userAt = (user: TokenUser, route: Route, items: readonly ResourceItem[] = []): TokenUser => {
    const paths = items.length > 0 ? items.map(pathOf) : route.name === 'files' ? [route.path] : []
    const spots = paths.map(path => spotAt(held, path))
    if (spots.every(spot => spot === undefined)) return user
    const has = (name: GrantRight) => spots.every(spot => (spot ? spot.rights.includes(name) : user.perm[name]))
    const stays = items.length > 0 && spots.some(spot => spot?.isFixed)
    const isNamed = items.length === 1 && spots.every(spot => spot?.isNamed)
    const given = {
      rename: isNamed || (has('rename') && !stays),
      modify: has('modify'),
      delete: has('delete') && !stays,
    }
    const download = has('download') || spots.every(spot => spot?.isHall)
    // What is shared is copied to one's own files, so the right to create stays.
    const create = user.perm.create || has('create')
    // A mount is not shared as a whole; in it its own rights count.
    const mayShare = (spot: Spot | undefined) =>
      spot ? spot.rights.includes('share') && (spot.isMount ? !spot.isFixed : user.perm.share) : user.perm.share
    const share = spots.every(mayShare)
    return { ...user, perm: { ...user.perm, ...given, create, download, share, execute: false } }
  }
  return {
    userAt,
    mayCreateAt(route) {
      const spot = route.name === 'files' ? spotAt(held, route.path) : undefined
      return spot ? spot.rights.includes('create') : mayCreateAtHome()
    },
    isInMount: path => spotAt(held, path)?.isMount === true,
    sharesLinks: held.mounts.some(({ rights }) => rights.includes('share')),
    stay: items => items.some(item => spotAt(held, pathOf(item))?.isFixed === true),
    hasTrash: items => items.every(item => spotAt(held, pathOf(item))?.trash ?? true),
  }
}
