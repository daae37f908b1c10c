import type { Delivery, Webhook } from '../../../../shared/api/webhooks.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatDate, formatFacts, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { deliveriesQuery, reloadWebhooks, sendAgain } from '../api/webhooks.ts'
import styles from '../webhooks.module.css'

/** The latest events of a webhook, with the response to each. */
export default function WebhookLogPrompt({ webhook: { id, name } }: { webhook: Webhook }) {
  const { data, error, refetch } = useQuery(deliveriesQuery(id))
  return (
    <Dialog
      title={t('webhooks.logTitle', { name })}
      onClose={closePrompt}
      footer={<Button onClick={closePrompt}>{t('common.close')}</Button>}
    >
      {data?.deliveries.length === 0 && <p className={styles.facts}>{t('webhooks.logEmpty')}</p>}
      {data ? (
        <ul className={styles.list}>
          {data.deliveries.map(delivery => (
            <Line key={delivery.id} webhook={id} delivery={delivery} />
          ))}
        </ul>
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Dialog>
  )
}

function Line({ webhook, delivery }: { webhook: string; delivery: Delivery }) {
  const { id, type, state, created, body } = delivery
  const time = Date.parse(created)
  const again = async () => {
    await sendAgain(webhook, id).catch((error: unknown) => notify('error', errorText(error)))
    await reloadWebhooks()
  }
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <code className={styles.name}>{type}</code>{' '}
        <time className={styles.facts} dateTime={created} title={formatDate(time)}>
          {formatRelative(time)}
        </time>
        <p className={styles.facts} data-bad={state === 'dead' || undefined}>
          {resultOf(delivery)}
        </p>
        <details>
          <summary className={styles.facts}>{t('webhooks.body')}</summary>
          <pre className={styles.body} dir="ltr" translate="no">
            {body}
          </pre>
        </details>
      </div>
      {state !== 'waiting' && (
        <Button kind="quiet" onClick={() => void again()}>
          {t('webhooks.again')}
        </Button>
      )}
    </li>
  )
}

function resultOf({ state, status, reason, tries, next, ms }: Delivery): string {
  const answer = status === null ? reason : t('webhooks.answer', { status: String(status), ms: String(ms ?? 0) })
  const facts = [t(`webhooks.state.${state}`), tries > 0 && answer, tries > 0 && t('webhooks.tries', { count: tries })]
  if (next !== null && tries > 0) facts.push(t('webhooks.next', { when: formatRelative(Date.parse(next)) }))
  return formatFacts(facts.filter(fact => typeof fact === 'string'))
}
