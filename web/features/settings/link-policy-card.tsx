import { type FormEvent, useState } from 'react'
import type { LinkPolicy } from '../../../shared/api/access-settings.ts'
import type { LinkKind } from '../../../shared/api/shares.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { accessQuery, updateLinkPolicy } from './api/access.ts'
import styles from './factors/factors.module.css'

const KINDS = ['view', 'edit', 'drop'] as const
const NAMINGS = ['off', 'locked', 'open'] as const
const MOST_DAYS = 36_500

/** Which share links users may make; for administrators. */
export default function LinkPolicyCard() {
  const { data, error, refetch } = useQuery(accessQuery)
  if (data) return <PolicyForm saved={data.links} />
  return (
    <Card title={t('links.policy')}>
      {error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function PolicyForm({ saved }: { saved: LinkPolicy }) {
  const [policy, setPolicy] = useState(saved)
  const [busy, setBusy] = useState(false)
  const online = useOnline()
  const change = (fields: Partial<LinkPolicy>) => setPolicy({ ...policy, ...fields })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await updateLinkPolicy(policy)
      notify('success', t('settings.updated'))
    } catch (error) {
      notify('error', errorText(error))
    }
    setBusy(false)
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <Card
        title={t('links.policy')}
        text={t('links.policyText')}
        footer={
          <Button type="submit" kind="primary" busy={busy} disabled={!online}>
            {t('fields.update')}
          </Button>
        }
      >
        <KindChoice chosen={policy.kinds} onChange={kinds => change({ kinds })} />
        <Checkbox
          label={t('links.policyPassword')}
          checked={policy.password === 'required'}
          onChange={isRequired => change({ password: isRequired ? 'required' : 'optional' })}
        />
        <TextField
          type="number"
          inputMode="numeric"
          min={0}
          max={MOST_DAYS}
          required
          label={t('links.policyDays')}
          hint={t('links.policyDaysHint')}
          value={policy.maxDays}
          onChange={({ target: { valueAsNumber: days } }) =>
            change({ maxDays: Number.isNaN(days) ? 0 : Math.min(Math.max(Math.trunc(days), 0), MOST_DAYS) })
          }
        />
        <SelectField
          label={t('links.slug')}
          hint={policy.slugs === 'open' ? t('links.policySlugsHint') : undefined}
          choices={NAMINGS.map(value => ({ value, label: t(`links.policySlugs.${value}`) }))}
          value={policy.slugs}
          onChange={value => change({ slugs: NAMINGS.find(known => known === value) ?? 'locked' })}
        />
      </Card>
    </form>
  )
}

interface KindChoiceProps {
  chosen: readonly LinkKind[]
  onChange: (kinds: LinkKind[]) => void
}

function KindChoice({ chosen, onChange }: KindChoiceProps) {
  return (
    <fieldset className={styles.groups}>
      <legend>{t('links.kind')}</legend>
      {KINDS.map(kind => (
        <Checkbox
          key={kind}
          label={t(`links.${kind}`)}
          checked={chosen.includes(kind)}
          onChange={isChosen => onChange(KINDS.filter(known => (known === kind ? isChosen : chosen.includes(known))))}
        />
      ))}
    </fieldset>
  )
}
