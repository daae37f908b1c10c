import { useState } from 'react'
import type { Webhook, WebhookSecret } from '../../../../shared/api/webhooks.ts'
import { t } from '../../../lib/i18n/index.ts'
import { SecretDialog } from '../../../ui/secret-dialog.tsx'
import { WebhookForm } from '../webhook-form.tsx'

interface WebhookPromptProps {
  /** The webhook to change; a new one without it. */
  webhook?: Webhook
  /** Private networks that the host permits. */
  networks: readonly string[]
}

/** A webhook: the form; for a new one, then its secret, which is shown once. */
export default function WebhookPrompt({ webhook, networks }: WebhookPromptProps) {
  const [made, setMade] = useState<WebhookSecret>()
  if (!made) return <WebhookForm webhook={webhook} networks={networks} onMade={setMade} />
  return (
    <SecretDialog
      title={t('webhooks.madeTitle')}
      description={t('webhooks.madeText')}
      secret={made.secret}
      copy={t('webhooks.copy')}
      copied={t('webhooks.copied')}
      byHand={t('webhooks.copyByHand')}
      notCopied={t('webhooks.notCopied')}
    />
  )
}
