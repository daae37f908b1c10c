import { type FormEvent, useState } from 'react'
import { byteLength } from '../../../../shared/bytes.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import inputs from '../../../ui/field.module.css'
import { Field } from '../../../ui/field.tsx'
import styles from './remarks.module.css'

interface RemarkFormProps {
  label: string
  /** The text to change. */
  text?: string
  /** Text of the button that sends. */
  send: string
  /** Bytes, as the server allows. */
  most: number
  /** Whether an empty text is of use. */
  mayBeEmpty?: boolean
  /** Sends the text; an error is shown, and the text stays. */
  run: (text: string) => Promise<void>
  /** Offers to leave the text as it was. */
  onCancel?: () => void
}

/** A field for a note or a comment. Ctrl+Enter sends. */
export function RemarkForm({ label, text: before = '', send, most, mayBeEmpty, run, onCancel }: RemarkFormProps) {
  const [text, setText] = useState(before)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const isEmpty = text.trim() === ''
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (isBusy || (isEmpty && !mayBeEmpty)) return
    setBusy(true)
    setProblem('')
    try {
      await run(isEmpty ? '' : text)
      setText(isEmpty || onCancel ? text : '')
    } catch (failure) {
      setProblem(errorText(failure))
    }
    setBusy(false)
  }
  const isTooLong = byteLength(text) > most
  const error = isTooLong ? t('remarks.tooLong', { count: most }) : problem
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <Field label={label} error={error || undefined}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            className={`${inputs.input} ${styles.area}`}
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            rows={2}
            dir="auto"
            value={text}
            onChange={event => setText(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
              if (event.key !== 'Escape' || !onCancel) return
              event.stopPropagation()
              onCancel()
            }}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <Button type="submit" busy={isBusy} disabled={isTooLong || (isEmpty && !mayBeEmpty)}>
          {send}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('common.cancel')}</Button>}
      </div>
    </form>
  )
}
