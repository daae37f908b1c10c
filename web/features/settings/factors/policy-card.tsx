import { type FormEvent, useState } from 'react'
import type { FactorPolicy } from '../../../../shared/api/access-settings.ts'
import type { Group } from '../../../../shared/api/groups.ts'
import { pageConfig } from '../../../lib/config.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useOnline } from '../../../lib/online.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { accessQuery, updateFactorPolicy } from '../api/access.ts'
import styles from './factors.module.css'

const CHOICES = ['none', 'admins', 'groups', 'all'] as const
const MOST_DAYS = 90
/** The group of all users, for which there is a choice of its own. */
const EVERYONE = 'everyone'

/** Who must have a second factor; for administrators. */
export default function PolicyCard() {
  const { data, error, refetch } = useQuery(accessQuery)
  if (data) return <PolicyForm saved={data.secondFactor} groups={data.groups} />
  return (
    <Card title={t('factorDuty.title')}>
      {error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function PolicyForm({ saved, groups }: { saved: FactorPolicy; groups: readonly Group[] }) {
  const [policy, setPolicy] = useState(saved)
  const [busy, setBusy] = useState(false)
  const online = useOnline()
  const change = (fields: Partial<FactorPolicy>) => setPolicy({ ...policy, ...fields })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await updateFactorPolicy(policy)
      notify('success', t('settings.updated'))
    } catch (error) {
      notify('error', errorText(error))
    }
    setBusy(false)
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <Card
        title={t('factorDuty.title')}
        text={t('factorDuty.text')}
        footer={
          <Button type="submit" kind="primary" busy={busy} disabled={!online}>
            {t('fields.update')}
          </Button>
        }
      >
        <SelectField
          label={t('factorDuty.require')}
          choices={CHOICES.map(value => ({ value, label: t(`factorDuty.${value}`) }))}
          value={policy.require}
          onChange={value => change({ require: CHOICES.find(known => known === value) ?? 'none' })}
        />
        {policy.require === 'groups' && (
          <GroupChoice groups={groups} chosen={policy.groups} onChange={ids => change({ groups: ids })} />
        )}
        {policy.require !== 'none' && <Beginning policy={policy} change={change} />}
        {pageConfig.Providers.length > 0 && (
          <Checkbox
            label={t('factorDuty.trust')}
            hint={t('factorDuty.trustHint')}
            checked={policy.trustProviders}
            onChange={checked => change({ trustProviders: checked })}
          />
        )}
      </Card>
    </form>
  )
}

interface GroupChoiceProps {
  groups: readonly Group[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}

function GroupChoice({ groups: all, chosen, onChange }: GroupChoiceProps) {
  const groups = all.filter(({ id }) => id !== EVERYONE)
  if (groups.length === 0) return <p className={styles.facts}>{t('factorDuty.noGroups')}</p>
  return (
    <fieldset className={styles.groups}>
      <legend>{t('factorDuty.which')}</legend>
      {groups.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={checked => onChange(checked ? [...chosen, id] : chosen.filter(other => other !== id))}
        />
      ))}
    </fieldset>
  )
}

function Beginning({ policy, change }: { policy: FactorPolicy; change: (fields: Partial<FactorPolicy>) => void }) {
  return (
    <>
      <TextField
        type="date"
        label={t('factorDuty.from')}
        hint={t('factorDuty.fromHint')}
        value={dayOf(policy.from)}
        onChange={({ target: { value } }) => change({ from: value === '' ? null : startOf(value) })}
      />
      <TextField
        type="number"
        inputMode="numeric"
        min={0}
        max={MOST_DAYS}
        required
        label={t('factorDuty.grace')}
        hint={t('factorDuty.graceHint')}
        value={policy.graceDays}
        onChange={({ target: { valueAsNumber: days } }) =>
          change({ graceDays: Number.isNaN(days) ? 0 : Math.min(Math.max(Math.trunc(days), 0), MOST_DAYS) })
        }
      />
    </>
  )
}

/** The day of a time, as date fields have it, in this time zone. */
function dayOf(time: string | null): string {
  if (time === null) return ''
  const date = new Date(time)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map(part => String(part).padStart(2, '0')).join('-')
}

/** The beginning of a day in this time zone. */
const startOf = (day: string) => new Date(`${day}T00:00`).toISOString()
