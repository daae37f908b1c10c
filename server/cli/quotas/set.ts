import { NO_LIMIT } from '../../../shared/api/quotas.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { changeGroupQuota } from '../../features/groups/groups.ts'
import { updateMount } from '../../features/groups/mounts.store.ts'
import { setRoot } from '../../features/groups/roots.store.ts'
import { setQuotaOfUser } from '../../features/quotas/set-quota.ts'
import type { OwnQuota } from '../../lib/amount.ts'
import type { Command } from '../command.ts'
import { demandMount } from '../mounts/common.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandUser } from '../users/common.ts'
import { parseItems, parseQuota } from './size.ts'

/** @throws AppError `not_found` for a mount, or a root, that is not known */
async function setQuotaOfPlace(
  db: Db,
  { roots }: Config,
  { kind, name }: { kind: string; name: string },
  { bytes, items }: Partial<OwnQuota>,
): Promise<void> {
  // Nothing else would limit what lies there.
  const limit = (value: number | null | undefined) => (value === NO_LIMIT ? null : value)
  const quota = {
    ...(bytes !== undefined && { bytes: limit(bytes) ?? null }),
    ...(items !== undefined && { items: limit(items) ?? null }),
  }
  if (kind === 'mount') {
    const mount = await demandMount(db, name)
    await updateMount(db, mount.id, { ...mount, quota })
  } else {
    if (!roots.some(root => root.name === name))
      throw new AppError('not_found', `There is no further root ${printable(name)}. List them with: filigree roots ls`)
    await setRoot(db, name, { quota })
  }
}

export const command: Command = {
  usage: 'user:<name>|group:<name>|root:<name>|mount:<name> [<size>|unlimited|none]',
  summary: 'Sets the quota of a user, a further root or a mount, or what a group gives each member',
  flags: [{ flag: 'items', doc: 'The most files and folders; also unlimited or none.' }],
  words: { least: 1, most: 2 },
  changes: true,
  async run(given) {
    const [whose = '', size] = given.positionals
    const [, kind, name = ''] = /^(user|group|root|mount):(.+)$/s.exec(whose) ?? []
    if (kind === undefined)
      throw new AppError('bad_request', 'A quota is of user:<name>, group:<name>, root:<name> or mount:<name>.')
    const items = given.flags.get('items')
    if (size === undefined && items === undefined)
      throw new AppError('bad_request', 'A quota is a size, or a number of files and folders with --items.')
    const quota = {
      ...(size !== undefined && { bytes: parseQuota(size) }),
      ...(items !== undefined && { items: parseItems(items) }),
    }
    await withDb(given, async (db, config) => {
      const deps = groupDeps(db)
      if (kind === 'user') await setQuotaOfUser(deps, (await demandUser(db, name)).id, quota)
      else if (kind === 'group') await changeGroupQuota(deps, (await demandGroup(db, name)).id, quota)
      else await setQuotaOfPlace(db, config, { kind, name }, quota)
    })
    console.log('quota set')
  },
}
