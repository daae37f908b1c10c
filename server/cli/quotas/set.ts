import { AppError } from '../../errors.ts'
import { changeGroupQuota } from '../../features/groups/groups.ts'
import { setQuotaOfUser } from '../../features/quotas/set-quota.ts'
import type { Command } from '../command.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'
import { demandUser } from '../users/common.ts'
import { parseItems, parseQuota } from './size.ts'

export const command: Command = {
  usage: 'user:<name>|group:<name> [<size>|unlimited|none]',
  summary: 'Sets the quota of a user, or what a group gives each member',
  flags: [{ flag: 'items', doc: 'The most files and folders; also unlimited or none.' }],
  words: { least: 1, most: 2 },
  changes: true,
  async run(given) {
    const [whose = '', size] = given.positionals
    const [, kind, name = ''] = /^(user|group):(.+)$/s.exec(whose) ?? []
    if (kind === undefined) throw new AppError('bad_request', 'A quota is of user:<name> or group:<name>.')
    const items = given.flags.get('items')
    if (size === undefined && items === undefined)
      throw new AppError('bad_request', 'A quota is a size, or a number of files and folders with --items.')
    const quota = {
      ...(size !== undefined && { bytes: parseQuota(size) }),
      ...(items !== undefined && { items: parseItems(items) }),
    }
    await withDb(given, async db => {
      const deps = groupDeps(db)
      if (kind === 'user') await setQuotaOfUser(deps, (await demandUser(db, name)).id, quota)
      else await changeGroupQuota(deps, (await demandGroup(db, name)).id, quota)
    })
    console.log('quota set')
  },
}
