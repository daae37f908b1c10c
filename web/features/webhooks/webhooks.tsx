import { useId, useState } from 'react'
import type { Webhook, WebhookTest } from '../../../shared/api/webhooks.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useQuery } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Plus } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { testWebhook, webhooksQuery } from './api/webhooks.ts'
import { conditionOf } from './labels.ts'
import styles from './webhooks.module.css'

/** Addresses that are notified of events: those of the administrators, or of the user. */
export default function WebhooksPage() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  const online = useOnline()
  const isAdmin = useSession().user?.perm.admin
  const create = data?.permitted && (
    <Button
      icon={<Plus size={18} aria-hidden />}
      disabled={!online}
      onClick={() => openPrompt('webhook', { networks: data.networks })}
    >
      {t('webhooks.new')}
    </Button>
  )
  return (
    <Card
      title={t('titles.webhooks')}
      text={t(isAdmin ? 'webhooks.text' : 'webhooks.textOwn')}
      footer={create || undefined}
    >
      {data && !data.permitted && <p className={styles.facts}>{t('webhooks.notPermitted')}</p>}
      {data ? (
        <List webhooks={data.webhooks} networks={data.networks} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function List({ webhooks, networks }: { webhooks: readonly Webhook[]; networks: readonly string[] }) {
  if (webhooks.length === 0) return <p className={styles.facts}>{t('webhooks.empty')}</p>
  return (
    <ul className={styles.list}>
      {webhooks.map(webhook => (
        <Row key={webhook.id} webhook={webhook} networks={networks} />
      ))}
    </ul>
  )
}

function Row({ webhook, networks }: { webhook: Webhook; networks: readonly string[] }) {
  const { name, url, enabled, failingSince, waiting, dead, dropped } = webhook
  const nameId = useId()
  const counts = [
    waiting > 0 && t('webhooks.waiting', { count: waiting }),
    dead > 0 && t('webhooks.dead', { count: dead }),
    dropped > 0 && t('webhooks.dropped', { count: dropped }),
  ].filter(text => text !== false)
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <bdi id={nameId} className={styles.name}>
          {name}
        </bdi>
        <p className={styles.facts}>
          <bdi dir="ltr" translate="no">
            {url}
          </bdi>
        </p>
        <p className={styles.facts} data-bad={!enabled || failingSince !== null || undefined}>
          {formatFacts([conditionOf(webhook), ...counts])}
        </p>
      </div>
      <div className={styles.buttons}>
        <TestButton id={webhook.id} describedBy={nameId} />
        <Button kind="quiet" aria-describedby={nameId} onClick={() => openPrompt('webhookLog', { webhook })}>
          {t('webhooks.log')}
        </Button>
        <Button kind="quiet" aria-describedby={nameId} onClick={() => openPrompt('webhook', { webhook, networks })}>
          {t('webhooks.edit')}
        </Button>
        <Button kind="quiet" aria-describedby={nameId} onClick={() => openPrompt('webhookRemove', { webhook })}>
          {t('actions.delete')}
        </Button>
      </div>
    </li>
  )
}

function TestButton({ id, describedBy }: { id: string; describedBy: string }) {
  const [busy, setBusy] = useState(false)
  const online = useOnline()
  const run = async () => {
    setBusy(true)
    await testWebhook(id)
      .then(reportTest, (error: unknown) => notify('error', errorText(error)))
      .finally(() => setBusy(false))
  }
  return (
    <Button kind="quiet" busy={busy} disabled={!online} aria-describedby={describedBy} onClick={() => void run()}>
      {t('webhooks.test')}
    </Button>
  )
}

function reportTest({ status, reason, ms }: WebhookTest): void {
  if (status === null) notify('error', t('webhooks.testFailed', { reason }))
  else notify(status < 300 ? 'success' : 'error', t('webhooks.testAnswer', { status: String(status), ms: String(ms) }))
}
