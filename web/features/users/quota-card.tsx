import { type KeyboardEvent, useState } from 'react'
import type { UserQuota } from '../../../shared/api/quotas.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import form from '../../ui/form.module.css'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type QuotaOwner, quotasQuery, setQuota } from './api/quotas.ts'
import styles from './quota-card.module.css'
import { bytesOf, type QuotaDraft, quotaDraftOf, UNITS } from './quota-draft.ts'

/** From which share of the quota on it is shown as nearly full. */
const WARN_FROM = 0.9

/** The quota of a user or a group, and what the home of a user holds. A change counts at once. */
export default function QuotaCard({ owner }: { owner: QuotaOwner }) {
  const { data, error, refetch } = useQuery(quotasQuery)
  const { kind, id } = owner
  const user = kind === 'users' ? data?.users.find(one => one.id === id) : undefined
  const group = kind === 'groups' ? data?.groups.find(one => one.id === id) : undefined
  return (
    <Card title={t('quota.title')} text={t(kind === 'users' ? 'quota.text' : 'quota.groupText')}>
      {data ? (
        <>
          {user && user.limit !== null && <Fill quota={user} limit={user.limit} />}
          <QuotaFields key={String(user?.own ?? group?.own)} owner={owner} own={user?.own ?? group?.own ?? null} />
        </>
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

/** What a home holds, as text and as a bar. */
function Fill({ quota: { used, reserved, exact, group }, limit }: { quota: UserQuota; limit: number }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const text = t('nav.usage', { used: formatBytes(used), total: formatBytes(limit) })
  const facts = [
    group && t('groups.from', { name: group.name }),
    reserved > 0 && t('quota.reserved', { size: formatBytes(reserved) }),
    !exact && t('quota.counting'),
  ].filter(fact => typeof fact === 'string')
  return (
    <div className={styles.fill}>
      <p>{text}</p>
      <Progress
        role="meter"
        label={t('nav.usageLabel')}
        value={share}
        valueText={`${formatPercent(share)}, ${text}`}
        tone={share >= WARN_FROM ? 'warn' : 'accent'}
      />
      {facts.map(fact => (
        <p key={fact} className={styles.fact}>
          <bdi>{fact}</bdi>
        </p>
      ))}
    </div>
  )
}

function QuotaFields({ owner, own }: { owner: QuotaOwner; own: number | null }) {
  const [draft, setDraft] = useState(() => quotaDraftOf(own))
  const [busy, setBusy] = useState(false)
  const [isWrong, setWrong] = useState(false)
  const change = (part: Partial<QuotaDraft>) => {
    setWrong(false)
    setDraft({ ...draft, ...part })
  }
  const bytes = bytesOf(draft)
  const save = async () => {
    if (busy) return
    if (bytes === undefined) return setWrong(true)
    setBusy(true)
    try {
      await setQuota(owner, bytes)
      notify('success', t('quota.saved'))
    } catch (error) {
      notify('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }
  // The form around it is another one.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    void save()
  }
  return (
    <>
      <div className={styles.fields}>
        <SelectField
          label={t('quota.limit')}
          choices={[
            { value: 'none', label: t(owner.kind === 'users' ? 'quota.inherit' : 'quota.none') },
            { value: 'limited', label: t('quota.limited') },
            { value: 'unlimited', label: t('quota.unlimited') },
          ]}
          value={draft.kind}
          onChange={kind => change({ kind: kind as QuotaDraft['kind'] })}
        />
        {draft.kind === 'limited' && (
          <>
            <TextField
              label={t('files.columnSize')}
              inputMode="decimal"
              autoComplete="off"
              error={isWrong ? t('quota.badSize') : undefined}
              value={draft.size}
              onKeyDown={onKeyDown}
              onChange={event => change({ size: event.target.value })}
            />
            <SelectField
              label={t('quota.unit')}
              choices={UNITS.map(unit => ({ value: unit, label: unit }))}
              value={draft.unit}
              onChange={unit => change({ unit: unit as QuotaDraft['unit'] })}
            />
          </>
        )}
      </div>
      {bytes !== own && (
        <Button className={form.start} busy={busy} onClick={() => void save()}>
          {t('quota.save')}
        </Button>
      )}
    </>
  )
}
