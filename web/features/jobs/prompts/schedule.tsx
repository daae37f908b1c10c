import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type FilePath, nameOf, parsePath, trustedChild } from '../../../../shared/path.ts'
import { formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { startJob } from '../../../lib/jobs.ts'
import { localMinute } from '../../../lib/local-minute.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt, type Decision, type PromptProps } from '../../../lib/prompts.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { labelOf } from '../../files/conflicts/conflict-list.tsx'
import { ALL, NO_REPLACING } from '../../files/conflicts/decisions.ts'
import { reasonOf } from '../../files/reasons.ts'
import { problemWith, suggestions, tonight } from '../times.ts'
import styles from './schedule.module.css'

const FORM = 'schedule'

/** Asks when things are to be copied, moved or deleted, and what is to be done then about names that are taken. */
export default function SchedulePrompt(props: PromptProps['schedule']) {
  const { action, items } = props
  const field = useRef<HTMLInputElement>(null)
  const { user } = useSession()
  const [time, setTime] = useState(() => localMinute(tonight(Date.now())))
  const [conflict, setConflict] = useState<Decision>('keepBoth')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemWith(time, Date.now())
    if (wrong) {
      setProblem(t(wrong))
      return field.current?.focus()
    }
    setBusy(true)
    try {
      await startJob(requestOf(props, new Date(time).toISOString(), conflict))
      notify('success', t('schedule.done', { when: formatRelative(new Date(time).getTime()) }))
      closePrompt()
    } catch (error) {
      setProblem(reasonOf(error))
      setBusy(false)
    }
  }
  const choices = user?.perm.modify ? ALL : NO_REPLACING
  return (
    <Dialog
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
          hint={problemWith(time, Date.now()) ? undefined : formatRelative(new Date(time).getTime())}
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
          <SelectField
            label={t('schedule.conflict')}
            value={conflict}
            choices={choices.map(value => ({ value, label: labelOf(value) }))}
            onChange={value => setConflict(choices.find(choice => choice === value) ?? 'keepBoth')}
          />
        )}
      </form>
    </Dialog>
  )
}

const TITLES = { copy: 'schedule.copy', move: 'schedule.move', delete: 'schedule.delete' } as const

function requestOf({ action, items, destination }: PromptProps['schedule'], runAt: string, conflict: Decision) {
  const place = (path: FilePath) => trustedChild(parsePath(destination ?? '/'), nameOf(path))
  const listed = items.map(item => {
    const from = parsePath(item.path)
    return destination === undefined ? { from } : { from, to: place(from) }
  })
  return { kind: action, items: listed, runAt, ...(action === 'delete' ? {} : { conflict }) }
}
