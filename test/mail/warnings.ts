import { onTestFinished } from 'vitest'
import { Quotas } from '../../server/features/quotas/quotas.ts'
import { QuotaWarnings } from '../../server/features/quotas/warnings.ts'
import type { NewUser } from '../../server/features/users/users.store.ts'
import { Webhooks } from '../../server/features/webhooks/webhooks.ts'
import { openMemory } from '../../server/storage/memory.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openMails } from './mails.ts'

/** Warnings about quotas, as mails to a user with an address, and as events; see `openMails`. */
export async function openWarnings(fields: Partial<NewUser> = {}, shared?: string) {
  const { db, cluster, mails, user, log } = await openMails(fields, shared)
  const quotas = new Quotas({ db, cluster, storage: openMemory(), isOnlyServer: shared === undefined, log })
  const webhooks = new Webhooks({ db, cluster, mode: 'admins', names: 'everyone' })
  const sinks = { deliver: webhooks.deliverQuota, mail: mails.quotaReached }
  const open = () => new QuotaWarnings({ db, cluster, homes: () => quotas.homes(), ...sinks, log })
  let warnings = open()
  onTestFinished(async () => {
    await warnings.close()
    await quotas.close()
  })
  return {
    ...{ db, user, quotas, log },
    look: () => warnings.look(),
    restart() {
      warnings = open()
    },
    async addWebhook(): Promise<void> {
      const about = { name: 'w', url: 'https://example.org/', types: ['quota.warning' as const] }
      await webhooks.add({ ...about, folder: '', pattern: '', enabled: true }, { id: 0, perm: ALL_PERMISSIONS })
    },
    /** What webhooks are to receive, the oldest first. */
    async events() {
      const rows = await db.selectFrom('webhook_deliveries').select('body').orderBy('created_at').execute()
      return rows.map(({ body }) => JSON.parse(body))
    },
    mails: () => db.selectFrom('mails').select(['kind', 'user_id', 'data']).execute(),
  }
}
