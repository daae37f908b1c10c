import { setImmediate as othersFirst } from 'node:timers/promises'
import type { LinkObstacle } from '../../../shared/api/shares.ts'
import { allows, type Permissions } from '../../../shared/permissions.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Db } from '../../db/schema.ts'
import type { FilesService, FindInMounts } from '../../files/files-service.ts'
import { mapLimit } from '../../lib/limit.ts'
import { type ActingUser, findActingUsers } from '../groups/acting-user.ts'
import { findUsers } from '../users/users.store.ts'
import type { StoredShare } from './shares.store.ts'

/** A link with the path that leads to it now in the files of its owner, and why it does not open now, if so. */
export type LinkNow<Link extends StoredShare = StoredShare> = Link & { shut?: LinkObstacle }

/** What one owner may do now. */
interface OwnerNow {
  perm: Permissions
  hasHome: boolean
  /** Missing where the mounts cannot be found out now. */
  find?: FindInMounts | undefined
}

interface Deps {
  db: Db
  files?: FilesService | undefined
}

/** Links that are judged at a time; other requests are served in between. */
const LINKS_AT_ONCE = 1000
/** Users in one query. */
const PAGE = 250
/** Owners whose mounts are looked up at a time. */
const AT_ONCE = 8

/**
 * Some links as their owners have them now. Owners are looked up once for many links; groups and mounts only of owners whose own
 * permissions do not decide.
 * @param files without which links into other roots stay at the path that they were made at, and count as open
 */
export async function linksNow<Link extends StoredShare>(deps: Deps, links: readonly Link[]): Promise<LinkNow<Link>[]> {
  const all: LinkNow<Link>[] = []
  for (let from = 0; from < links.length; from += LINKS_AT_ONCE) {
    if (from > 0) await othersFirst()
    all.push(...(await someNow(deps, links.slice(from, from + LINKS_AT_ONCE))))
  }
  return all
}

async function someNow<Link extends StoredShare>(
  { db, files }: Deps,
  links: readonly Link[],
): Promise<LinkNow<Link>[]> {
  const byOwner = Map.groupBy(links, ({ userId }) => userId)
  const owners = new Map<number, OwnerNow>()
  const undecided: number[] = []
  for (const user of await inPagesOf([...byOwner.keys()], ids => findUsers(db, ids))) {
    if (user.isDisabled) continue
    owners.set(user.id, user)
    const isPlain = (link: Link) => !isInOtherRoot(link.canonical) && mayGive(user.perm, link)
    if (!byOwner.get(user.id)?.every(isPlain)) undecided.push(user.id)
  }
  const acting = await inPagesOf(undecided, async ids => [...(await findActingUsers(db, ids)).values()])
  await mapLimit(acting, AT_ONCE, async owner => {
    const isInMount = byOwner.get(owner.id)?.some(({ canonical }) => isInOtherRoot(canonical))
    owners.set(owner.id, { ...owner, find: files && isInMount ? await findFor(files, owner) : undefined })
  })
  return links.map(link => linkNow(link, owners.get(link.userId)))
}

async function inPagesOf<T>(ids: readonly number[], read: (page: readonly number[]) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (let from = 0; from < ids.length; from += PAGE) all.push(...(await read(ids.slice(from, from + PAGE))))
  return all
}

/** A home that does not answer hides no link from the list. */
const findFor = (files: FilesService, owner: ActingUser): Promise<FindInMounts | undefined> =>
  files.inMounts(owner).catch(() => undefined)

const mayGive = (perm: Permissions, { purpose }: StoredShare) =>
  allows(perm, 'share') && (purpose !== 'drop' || perm.create)

function linkNow<Link extends StoredShare>(link: Link, owner: OwnerNow | undefined): LinkNow<Link> {
  if (!owner) return { ...link, shut: 'owner' }
  if (!isInOtherRoot(link.canonical)) {
    if (!owner.hasHome) return { ...link, shut: 'folder' }
    return mayGive(owner.perm, link) ? link : { ...link, shut: 'rights' }
  }
  if (!owner.find) return link
  const spot = owner.find(link.canonical)
  if (!spot) return { ...link, shut: 'folder' }
  const path = link.path.endsWith('/') ? `${spot.path}/` : spot.path
  return { ...link, path, ...(mayGive(spot.perm, link) ? {} : { shut: 'rights' as const }) }
}
