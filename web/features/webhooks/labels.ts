import type { Webhook, WebhookType } from '../../../shared/api/webhooks.ts'
import { formatRelative } from '../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'

/** Display name of each type of event, in the words of the button that causes it. */
export const TYPE_LABELS = {
  'file.uploaded': 'actions.upload',
  'file.saved': 'fields.save',
  'file.downloaded': 'actions.download',
  'folder.created': 'actions.newFolder',
  'item.copied': 'actions.copy',
  'item.moved': 'picker.move',
  'item.deleted': 'actions.delete',
  'item.restored': 'audit.restored',
  'archive.packed': 'kinds.archive',
  'archive.extracted': 'picker.extract',
  'share.created': 'shares.create',
  'share.removed': 'shares.delete',
  'share.opened': 'shares.link',
  'share.uploaded': 'webhooks.shareUploaded',
  'login.succeeded': 'auth.title',
  'login.blocked': 'webhooks.loginBlocked',
  'login.newDevice': 'webhooks.loginNewDevice',
  'user.created': 'titles.newUser',
  'user.changed': 'titles.user',
  'user.removed': 'users.deleteSection',
  'settings.changed': 'titles.global',
  'job.finished': 'jobs.region',
  'quota.warning': 'nav.usageLabel',
} as const satisfies Record<WebhookType, MessageKey>

/** How a webhook is, in one line. */
export function conditionOf(webhook: Webhook): string {
  const { enabled, offReason, failingSince, lastDelivery } = webhook
  if (!enabled) {
    if (offReason === 'gone') return t('webhooks.offGone')
    return t(offReason === 'failing' ? 'webhooks.offFailing' : 'webhooks.off')
  }
  if (failingSince !== null) return t('webhooks.failing', { when: formatRelative(Date.parse(failingSince)) })
  return lastDelivery === null
    ? t('webhooks.unused')
    : t('webhooks.last', { when: formatRelative(Date.parse(lastDelivery)) })
}
