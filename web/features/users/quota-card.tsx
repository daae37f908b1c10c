import { type KeyboardEvent, useState } from 'react'
import type { UserQuota } from '../../../shared/api/quotas.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatNumber, formatPercent } from '../../lib/i18n/format.ts'
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
import { type OwnLimits, type QuotaOwner, quotasQuery, setQuota } from './api/quotas.ts'
import styles from './quota-card.module.css'
import {
  bytesOf,
  type ItemsDraft,
  itemsDraftOf,
  itemsOf,
  type LimitKind,
  type QuotaDraft,
  quotaDraftOf,
  UNITS,
} from './quota-draft.ts'

/** From which share of the quota on it is shown as nearly full. */
const WARN_FROM = 0.9

/** The quota of a user or a group, and what the home of a user holds. A change counts at once. */
export default function QuotaCard({ owner }: { owner: QuotaOwner }) {
  const { data, error, refetch } = useQuery(quotasQuery)
  const { kind, id } = owner
  const user = kind === 'users' ? data?.users.find(one => one.id === id) : undefined
  const group = kind === 'groups' ? data?.groups.find(one => one.id === id) : undefined
  const said = user ?? group
  const own = { bytes: said?.own ?? null, items: said?.ownItems ?? null }
  return (
    <Card title={t('quota.title')} text={t(kind === 'users' ? 'quota.text' : 'quota.groupText')}>
      {data ? (
        <>
          {user && user.limit !== null && <Fill quota={user} limit={user.limit} />}
          {user && user.items.limit !== null && <ItemsFill quota={user} limit={user.items.limit} />}
          <QuotaFields key={`${own.bytes}/${own.items}`} owner={owner} own={own} />
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

/** How many files and folders a home holds. */
function ItemsFill({ quota: { items, itemsGroup }, limit }: { quota: UserQuota; limit: number }) {
  const text = t('quota.itemsUsed', { used: formatNumber(items.used), total: formatNumber(limit) })
  return (
    <div className={styles.fill}>
      <p>{text}</p>
      {itemsGroup && (
        <p className={styles.fact}>
          <bdi>{t('groups.from', { name: itemsGroup.name })}</bdi>
        </p>
      )}
    </div>
  )
}

function QuotaFields({ owner, own }: { owner: QuotaOwner; own: OwnLimits }) {
  const [bytesDraft, setBytesDraft] = useState(() => quotaDraftOf(own.bytes))
  const [itemsDraft, setItemsDraft] = useState(() => itemsDraftOf(own.items))
  const [busy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const [bytes, items] = [bytesOf(bytesDraft), itemsOf(itemsDraft)]
  const save = async () => {
    if (busy) return
    setTried(true)
    if (bytes === undefined || items === undefined) return
    setBusy(true)
    try {
      await setQuota(owner, { bytes, items })
      notify('success', t('quota.saved'))
    } catch (error) {
      notify('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const changeBytes = (part: Partial<QuotaDraft>) => {
    setTried(false)
    setBytesDraft({ ...bytesDraft, ...part })
  }
  const changeItems = (part: Partial<ItemsDraft>) => {
    setTried(false)
    setItemsDraft({ ...itemsDraft, ...part })
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
        <LimitSelect label={t('quota.limit')} owner={owner} value={bytesDraft.kind} onChange={changeBytes} />
        {bytesDraft.kind === 'limited' && (
          <>
            <TextField
              label={t('files.columnSize')}
              inputMode="decimal"
              autoComplete="off"
              error={isTried && bytes === undefined ? t('quota.badSize') : undefined}
              value={bytesDraft.size}
              onKeyDown={onKeyDown}
              onChange={event => changeBytes({ size: event.target.value })}
            />
            <SelectField
              label={t('quota.unit')}
              choices={UNITS.map(unit => ({ value: unit, label: unit }))}
              value={bytesDraft.unit}
              onChange={unit => changeBytes({ unit: unit as QuotaDraft['unit'] })}
            />
          </>
        )}
      </div>
      <div className={styles.fields}>
        <LimitSelect label={t('quota.items')} owner={owner} value={itemsDraft.kind} onChange={changeItems} />
        {itemsDraft.kind === 'limited' && (
          <TextField
            label={t('quota.number')}
            inputMode="numeric"
            autoComplete="off"
            error={isTried && items === undefined ? t('quota.badNumber') : undefined}
            value={itemsDraft.number}
            onKeyDown={onKeyDown}
            onChange={event => changeItems({ number: event.target.value })}
          />
        )}
      </div>
      {(bytes !== own.bytes || items !== own.items) && (
        <Button className={form.start} busy={busy} onClick={() => void save()}>
          {t('quota.save')}
        </Button>
      )}
    </>
  )
}

interface LimitSelectProps {
  label: string
  owner: QuotaOwner
  value: LimitKind
  onChange(part: { kind: LimitKind }): void
}

function LimitSelect({ label, owner, value, onChange }: LimitSelectProps) {
  return (
    <SelectField
      label={label}
      choices={[
        { value: 'none', label: t(owner.kind === 'users' ? 'quota.inherit' : 'quota.none') },
        { value: 'limited', label: t('quota.limited') },
        { value: 'unlimited', label: t('quota.unlimited') },
      ]}
      value={value}
      onChange={kind => onChange({ kind: kind as LimitKind })}
    />
  )
}
