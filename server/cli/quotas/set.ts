import { AppError } from '../../errors.ts'
import { changeGroupQuota } from '../../features/groups/groups.ts'
import { setQuotaOfUser } from '../../features/quotas/set-quota.ts'
import type { Command } from '../command.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'
import { demandUser } from '../users/common.ts'
import { parseQuota } from './size.ts'

export const command: Command = {
  usage: 'user:<name>|group:<name> <size>|unlimited|none',
  summary: 'Sets the quota of a user, or what a group gives each member',
  words: { least: 2, most: 2 },
  changes: true,
  async run(given) {
    const [whose = '', size = ''] = given.positionals
    const [, kind, name = ''] = /^(user|group):(.+)$/s.exec(whose) ?? []
    if (kind === undefined) throw new AppError('bad_request', 'A quota is of user:<name> or group:<name>.')
    const bytes = parseQuota(size)
    await withDb(given, async db => {
      const deps = groupDeps(db)
      if (kind === 'user') await setQuotaOfUser(deps, (await demandUser(db, name)).id, bytes)
      else await changeGroupQuota(deps, (await demandGroup(db, name)).id, bytes)
    })
    console.log('quota set')
  },
}
