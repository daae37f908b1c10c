import type { Webhook } from '../../../../shared/api/webhooks.ts'
import { unlessMissing } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { reloadWebhooks, removeWebhook } from '../api/webhooks.ts'

/** Confirms the end of a webhook. */
export default function WebhookRemovePrompt({ webhook: { id, name } }: { webhook: Webhook }) {
  const run = async () => {
    await unlessMissing(removeWebhook(id))
    closePrompt()
    await reloadWebhooks()
  }
  return (
    <ConfirmDialog
      title={t('webhooks.removeTitle', { name })}
      description={t('webhooks.removeText')}
      confirm={t('actions.delete')}
      run={run}
    />
  )
}
