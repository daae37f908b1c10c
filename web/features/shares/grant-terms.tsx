import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type GivenRight, type Grant, LONGEST_GRANT_NOTE } from '../../../shared/api/grants.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ExpiryFields } from '../../ui/expiry-fields.tsx'
import { type ExpiryInput, NEVER, parseExpiry } from '../../ui/expiry-input.ts'
import { TextField } from '../../ui/field.tsx'
import { changeGrant } from '../files/api/grants.ts'
import styles from './people.module.css'

interface GrantTermsProps {
  grant: Grant
  /** Runs after the change, and without one. */
  onDone: () => void
}

/** When a grant ends, and what its recipients read about it. */
export function GrantTerms({ grant, onDone }: GrantTermsProps) {
  const [note, setNote] = useState(grant.note)
  const [sharesOn, setSharesOn] = useState(grant.rights.includes('share'))
  const [expiry, setExpiry] = useState<ExpiryInput>(grant.expires === null ? NEVER : { choice: 'same', date: '' })
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLSelectElement>(null)
  const dateField = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const end = parseExpiry(expiry, Date.now())
    if (typeof end === 'string') return setProblem(t(end))
    setBusy(true)
    try {
      const expires = end === 0 ? null : new Date(end * 1000).toISOString()
      const rights = withSharing(grant.rights, sharesOn)
      await changeGrant(grant.id, {
        note: note.trim(),
        ...(expiry.choice !== 'same' && { expires }),
        ...(rights.length !== grant.rights.length && { rights }),
      })
      onDone()
    } catch (error) {
      setProblem(errorText(error))
      setBusy(false)
    }
  }
  return (
    <form className={styles.terms} onSubmit={event => void submit(event)} noValidate>
      <ExpiryFields
        ref={first}
        dateRef={dateField}
        mayStay={grant.expires !== null}
        value={expiry}
        error={expiry.choice === 'date' ? problem : undefined}
        onChange={next => {
          setExpiry(next)
          setProblem(undefined)
        }}
      />
      <TextField
        label={t('grants.note')}
        value={note}
        error={expiry.choice === 'date' ? undefined : problem}
        maxLength={LONGEST_GRANT_NOTE}
        autoComplete="off"
        dir="auto"
        onChange={event => setNote(event.target.value)}
      />
      {grant.rights.includes('download') && (
        <Checkbox label={t('grants.mayShareOn')} checked={sharesOn} onChange={setSharesOn} />
      )}
      <div className={styles.buttons}>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {t('fields.save')}
        </Button>
      </div>
    </form>
  )
}

const withSharing = (rights: readonly GivenRight[], sharesOn: boolean): GivenRight[] => [
  ...rights.filter(right => right !== 'share'),
  ...(sharesOn ? ['share' as const] : []),
]
