import { AccessChange, AccessSettings } from '../../../shared/api/access-settings.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { lockForChanges } from '../../db/lock.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { type Route, remark } from '../../routing/route.ts'
import { changeAccessSettings, readAccessSettings } from './settings.store.ts'

/** What administrators demand of users: second factors (http-api 34), and which links they may make (10.1). */
export function accessSettingsRoutes({ db, cluster }: { db: Db; cluster: Cluster }): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/settings/access',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Read who must have a second factor, and which links users may make',
        answers: { 200: { text: 'The settings.', schema: AccessSettings } },
      },
      handler: () => readAccessSettings(db),
    },
    {
      method: 'PUT',
      path: '/api/settings/access',
      access: 'admin',
      token: 'admin',
      records: 'settings.change',
      schema: AccessChange,
      describes: {
        summary: 'Change who must have a second factor, or which links users may make',
        answers: {
          204: { text: 'It counts from the next sign-in, after which every grace begins again, and for new links.' },
        },
      },
      async handler(request, reply) {
        const change = request.body as AccessChange
        const changed = Object.keys(change)
        if (changed.length === 0) throw new AppError('bad_request', 'secondFactor: is missing, and so is links')
        remark(request, { target: changed.join(', ') })
        await db.transaction().execute(async transaction => {
          await lockForChanges(transaction)
          await changeAccessSettings(transaction, change)
        })
        cluster.publish('settings.changed', {})
        return reply.code(204).send()
      },
    },
  ]
}
