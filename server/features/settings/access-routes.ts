import { AccessSettings } from '../../../shared/api/access-settings.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { type Route, remark } from '../../routing/route.ts'
import { readAccessSettings, writeAccessSettings } from './settings.store.ts'

/** Settings of signing in that administrators change (http-api 34). */
export function accessSettingsRoutes({ db, cluster }: { db: Db; cluster: Cluster }): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/settings/access',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Read who must have a second factor',
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
      schema: AccessSettings,
      describes: {
        summary: 'Change who must have a second factor',
        answers: { 204: { text: 'It counts from the next sign-in; every grace begins again.' } },
      },
      async handler(request, reply) {
        remark(request, { target: 'secondFactor' })
        await writeAccessSettings(db, request.body as AccessSettings)
        cluster.publish('settings.changed', {})
        return reply.code(204).send()
      },
    },
  ]
}
