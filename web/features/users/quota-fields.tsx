import { type KeyboardEvent, useState } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import form from '../../ui/form.module.css'
import { SelectField } from '../../ui/select-field.tsx'
import type { OwnLimits } from './api/quotas.ts'
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

interface QuotaFieldsProps {
  own: OwnLimits
  /** The text for no limit of its own. */
  none: string
  /** Whether no limit at all is a choice besides none of its own. */
  mayLift?: boolean
  /** @throws ApiError */
  save: (limits: OwnLimits) => Promise<void>
}

/** The limits of bytes and of items. A change counts at once. */
export function QuotaFields({ own, none, mayLift = false, save: store }: QuotaFieldsProps) {
  const [bytesDraft, setBytesDraft] = useState(() => quotaDraftOf(own.bytes))
  const [itemsDraft, setItemsDraft] = useState(() => itemsDraftOf(own.items))
  const [busy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const choices = [
    { value: 'none', label: none },
    { value: 'limited', label: t('quota.limited') },
    ...(mayLift ? [{ value: 'unlimited', label: t('quota.unlimited') }] : []),
  ]
  const [bytes, items] = [bytesOf(bytesDraft), itemsOf(itemsDraft)]
  const save = async () => {
    if (busy) return
    setTried(true)
    if (bytes === undefined || items === undefined) return
    setBusy(true)
    try {
      await store({ bytes, items })
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
        <LimitSelect label={t('quota.limit')} choices={choices} value={bytesDraft.kind} onChange={changeBytes} />
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
        <LimitSelect label={t('quota.items')} choices={choices} value={itemsDraft.kind} onChange={changeItems} />
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
  choices: readonly { value: string; label: string }[]
  value: LimitKind
  onChange(part: { kind: LimitKind }): void
}

function LimitSelect({ onChange, ...field }: LimitSelectProps) {
  return <SelectField {...field} onChange={kind => onChange({ kind: kind as LimitKind })} />
}
