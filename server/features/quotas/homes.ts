import { EVERYONE } from '../../../shared/api/groups.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { lockForChanges } from '../../db/lock.ts'
import type { Db } from '../../db/schema.ts'
import type { QuotaLimits } from '../../files/metering.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import type { Amount } from '../../lib/amount.ts'
import { isLimited, limitsOf } from './effective.ts'
import { groupsForQuotas, hasQuotas, meterId, syncMeters, usersForQuotas } from './meters.store.ts'

/** The home of users with a quota. */
export interface MeteredHome {
  id: string
  /** The most generous of the limits of its users, which others meet; nothing if one of them has none. */
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
      const areNew = await syncMeters(transaction, homes.keys())
      return { homes, validUntil, areNew }
    }),
  )
}

async function readHomes(db: Db, now: number): Promise<Omit<Homes, 'areNew'>> {
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

function mostOf(kind: keyof Amount, all: readonly QuotaLimits[]): number | undefined {
  const said = all.flatMap(limits => limits[kind] ?? [])
  return said.length === all.length ? Math.max(...said) : undefined
}
