import type { Audit } from '../../audit/audit.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { findUser } from '../users/users.store.ts'
import type { SyncDeps } from './sync.ts'

interface SwitchDeps {
  db: Db
  cluster: Cluster
  audit: Pick<Audit, 'record'>
  endSessions(userId: number): Promise<void>
}

/** What follows when a directory closes an account, or opens it again: in the audit log `disabled` and `enabled`. */
export function accountSwitch({ db, cluster, audit, endSessions }: SwitchDeps): Pick<SyncDeps, 'closed' | 'opened'> {
  const note = async (id: number, target: string) => {
    const user = await findUser(db, id)
    const how = { outcome: 'done', way: 'server', address: '' } as const
    await audit.record({ ...how, action: 'user.change', target: `${user?.username ?? ''} ${target}` })
  }
  return {
    async closed(id) {
      await endSessions(id)
      cluster.publish('user.changed', { id })
      await note(id, 'disabled')
    },
    async opened(id) {
      cluster.publish('user.changed', { id })
      await note(id, 'enabled')
    },
  }
}
