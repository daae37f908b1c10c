import { type FormEvent, useEffect, useRef, useState } from 'react'
import { formatRelative, localMinute } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { errorMessageOf } from '../../files/api/error-messages.ts'
import { startJob } from '../../files/api/jobs.ts'
import type { Decision } from '../../files/operations/conflicts/conflict.ts'
import { ConflictItems, labelOf } from '../../files/operations/conflicts/conflict-list.tsx'
import { ALL, NO_REPLACING } from '../../files/operations/conflicts/decisions.ts'
import { type ScheduledJob, type ScheduleProps, useSchedule } from '../schedule.ts'
import { suggestions, timeProblem, tonight } from '../times.ts'
import styles from './schedule.module.css'

const FORM = 'schedule'

/** Prompts for the time of a copy, move or deletion, and the policy for names that are taken then. */
export default function SchedulePrompt(props: ScheduleProps) {
  const { action, items } = props
  const field = useRef<HTMLInputElement>(null)
  const { user } = useSession()
  const [time, setTime] = useState(() => localMinute(tonight(Date.now())))
  const [conflict, setConflict] = useState<Decision>('keepBoth')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const mayReplace = user?.perm.modify ?? false
  const later = useSchedule(props, mayReplace)
  const taken = later.decisions.conflicts.length
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = timeProblem(time, Date.now())
    if (wrong) {
      setProblem(t(wrong))
      return field.current?.focus()
    }
    setBusy(true)
    try {
      if (!(await later.seen())) return setBusy(false)
      await startJob(later.request(new Date(time).toISOString(), conflict))
      notify('success', t('schedule.done', { when: formatRelative(new Date(time).getTime()) }))
      closePrompt()
    } catch (error) {
      setProblem(errorMessageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      wide={taken > 0}
      title={t(TITLES[action], { count: items.length, name: items[0]?.name ?? '' })}
      description={t('schedule.text')}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind={action === 'delete' ? 'danger' : 'primary'} type="submit" form={FORM} busy={busy}>
            {t('schedule.confirm')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.fields} onSubmit={event => void submit(event)} noValidate>
        <TextField
          ref={field}
          type="datetime-local"
          label={t('schedule.when')}
          value={time}
          min={localMinute(Date.now())}
          error={problem || undefined}
          hint={timeProblem(time, Date.now()) ? undefined : formatRelative(new Date(time).getTime())}
          onChange={event => {
            setTime(event.target.value)
            setProblem('')
          }}
        />
        <div className={styles.presets}>
          {suggestions(Date.now()).map(({ labelKey, at }) => (
            <Button key={labelKey} onClick={() => setTime(localMinute(at))}>
              {t(labelKey)}
            </Button>
          ))}
        </div>
        {action !== 'delete' && (
          <WhatIsThere
            later={later}
            choices={mayReplace ? ALL : NO_REPLACING}
            value={conflict}
            onChange={value => {
              setConflict(value)
              later.decisions.chooseAll(value)
            }}
          />
        )}
      </form>
    </Dialog>
  )
}

const TITLES = { copy: 'schedule.copy', move: 'schedule.move', delete: 'schedule.delete' } as const

interface WhatIsThereProps {
  later: ScheduledJob
  choices: readonly Decision[]
  value: Decision
  onChange: (value: Decision) => void
}

/** Conflict policy: for names taken by then, and one by one for those taken now. */
function WhatIsThere({ later: { decisions, more }, choices, value, onChange }: WhatIsThereProps) {
  const count = decisions.conflicts.length + more
  return (
    <>
      <SelectField
        label={t('schedule.conflict')}
        value={value}
        choices={choices.map(choice => ({ value: choice, label: labelOf(choice) }))}
        onChange={chosen => onChange(choices.find(choice => choice === chosen) ?? 'keepBoth')}
      />
      <p role="status" className={styles.taken}>
        {count > 0 && t('conflicts.title', { count })}
      </p>
      {count > 0 && <ConflictItems decisions={decisions} more={more} />}
    </>
  )
}
