import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { RootAnswer } from '../../../../shared/api/mounts.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { setRootLabel } from '../api/mounts.ts'
import styles from './mounts.module.css'

/** Characters (http-api 51). */
const LONGEST = 64

interface RootLabelProps {
  root: RootAnswer
  onDone: () => void
}

/** The form for what the interface calls a disk or bucket. Empty, it has its name in the configuration. */
export function RootLabel({ root: { name, label }, onDone }: RootLabelProps) {
  const [value, setValue] = useState(label)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await setRootLabel(name, value.trim())
      onDone()
    } catch (error) {
      setProblem(errorText(error))
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event)}>
      <TextField
        ref={field}
        label={t('tokens.label')}
        placeholder={name}
        error={problem}
        autoComplete="off"
        dir="auto"
        maxLength={LONGEST}
        value={value}
        onChange={event => setValue(event.target.value)}
      />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={busy}>
          {t('fields.save')}
        </Button>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
      </div>
    </form>
  )
}
