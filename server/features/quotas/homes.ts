import { EVERYONE } from '../../../shared/api/groups.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { placeInRoot } from '../../../shared/places.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { lockForChanges } from '../../db/lock.ts'
import type { Db } from '../../db/schema.ts'
import type { QuotaLimits } from '../../files/metering.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import type { Amount, OwnQuota } from '../../lib/amount.ts'
import { listMounts } from '../groups/mounts.store.ts'
import { listRootSettings } from '../groups/roots.store.ts'
import { isLimited, limitsOf } from './effective.ts'
import { groupsForQuotas, hasQuotas, meterId, syncMeters, usersForQuotas } from './meters.store.ts'

/** A folder with a quota: the home of users, a mount, or the top of a further root. */
export interface MeteredHome {
  id: string
  /** Of a home the most generous of the limits of its users, which others meet; nothing if one of them has none. */
  limits: QuotaLimits
}

interface Homes {
  homes: ReadonlyMap<FilePath, MeteredHome>
  /** When a membership ends; infinity without one that ends. */
  validUntil: number
  /** Whether there are new ones, which have to be counted. */
  areNew: boolean
}

/** Reads which folders have a quota, and makes the stored meters the same. */
export async function loadHomes({ db, cluster }: { db: Db; cluster: Cluster }, now: number): Promise<Homes> {
  return cluster.lock('quotas', () =>
    db.transaction().execute(async transaction => {
      await lockForChanges(transaction)
      const { homes, validUntil } = await readHomes(transaction, now)
      for (const { place, limits } of await limitedPlaces(transaction)) {
        const { bytes, items } = homes.get(place)?.limits ?? {}
        const both = { bytes: leastOf(bytes, limits.bytes), items: leastOf(items, limits.items) }
        homes.set(place, { id: meterId(place), limits: both })
      }
      const areNew = await syncMeters(transaction, homes.keys())
      return { homes, validUntil, areNew }
    }),
  )
}

async function readHomes(db: Db, now: number) {
  const none = { homes: new Map<FilePath, MeteredHome>(), validUntil: Number.POSITIVE_INFINITY }
  if (!(await hasQuotas(db))) return none
  const { groups, members } = await groupsForQuotas(db, now)
  const groupsOf = Map.groupBy(members, ({ user }) => user)
  const limits = new Map<FilePath, QuotaLimits[]>()
  for (const user of await usersForQuotas(db)) {
    const ids = new Set([EVERYONE, ...(groupsOf.get(user.id) ?? []).map(({ group }) => group)])
    const own = { quota: user.quota, groups: groups.filter(({ id }) => ids.has(id)) }
    const folder = scopeFolder(user.scope)
    const known = limits.get(folder)
    if (known) known.push(limitsOf(own))
    else limits.set(folder, [limitsOf(own)])
  }
  const homes = new Map<FilePath, MeteredHome>()
  for (const [folder, all] of limits) {
    if (!all.some(isLimited)) continue
    homes.set(folder, { id: meterId(folder), limits: { bytes: mostOf('bytes', all), items: mostOf('items', all) } })
  }
  const ends = members.flatMap(({ expiresAt }) => expiresAt ?? [])
  return { homes, validUntil: ends.reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY) }
}

/** A root or mount with a quota. */
export interface LimitedPlace {
  kind: 'root' | 'mount'
  /** The name of the root, or the id of the mount. */
  id: string
  name: string
  place: FilePath
  limits: QuotaLimits
}

/** The further roots and the mounts with a quota, by name. */
export async function limitedPlaces(db: Db): Promise<LimitedPlace[]> {
  const roots = [...(await listRootSettings(db))].map(([root, { quota }]) => ({
    ...{ kind: 'root' as const, id: root, name: root, place: placeInRoot({ root, path: ROOT }) },
    limits: limitsIn(quota),
  }))
  const mounts = (await listMounts(db)).map(({ id, name, root, folder, quota }) => ({
    ...{ kind: 'mount' as const, id, name, place: placeInRoot({ root, path: folder }) },
    limits: limitsIn(quota),
  }))
  return [...roots, ...mounts].filter(({ limits }) => isLimited(limits))
}

const limitsIn = ({ bytes, items }: OwnQuota): QuotaLimits => ({ bytes: bytes ?? undefined, items: items ?? undefined })

const leastOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

function mostOf(kind: keyof Amount, all: readonly QuotaLimits[]): number | undefined {
  const said = all.flatMap(limits => limits[kind] ?? [])
  return said.length === all.length ? Math.max(...said) : undefined
}
