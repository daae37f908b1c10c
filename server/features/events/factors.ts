import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { readAccessSettings, readAuthSettings } from '../settings/settings.store.ts'

/**
 * Announces that a second factor may be required of a user, or no longer: to a stream that begins while it is required of
 * anyone, and whenever that or the groups of the user change.
 * @returns stops it
 */
export function announceFactors(
  { db, cluster }: { db: Db; cluster: Cluster },
  userId: number,
  announce: () => void,
): () => void {
  let wasRequired = false
  const check = async () => {
    const required = await isRequired(db)
    if (required || wasRequired) announce()
    wasRequired = required
  }
  const ask = () => void check().catch(() => {})
  const unsubscribe = [
    cluster.subscribe('settings.changed', ask),
    cluster.subscribe('access.changed', ask),
    cluster.subscribe('user.changed', ({ id }) => id === userId && ask()),
  ]
  ask()
  return () => {
    for (const end of unsubscribe) end()
  }
}

async function isRequired(db: Db): Promise<boolean> {
  const { secondFactor } = await readAccessSettings(db)
  return secondFactor.require !== 'none' && (await readAuthSettings(db)).method === 'json'
}
