import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Mount } from '../../../../shared/api/mounts.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/field.tsx'
import { changeMount } from '../api/mounts.ts'
import styles from './mounts.module.css'
import { nameProblem } from './problems.ts'

/** The name of a mount, and whether it is only read. */
export function ChangeMountForm({ mount, onDone }: { mount: Mount; onDone: () => void }) {
  const [name, setName] = useState(mount.name)
  const [readOnly, setReadOnly] = useState(mount.readOnly)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.select(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await changeMount(mount.id, { name: name.trim(), readOnly })
      notify('success', t('audit.mountChanged'))
      onDone()
    } catch (error) {
      setProblem(nameProblem(error) ?? errorText(error))
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event)}>
      <TextField
        ref={first}
        label={t('tokens.label')}
        error={problem}
        autoComplete="off"
        dir="auto"
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <Checkbox label={t('mounts.readOnly')} checked={readOnly} onChange={setReadOnly} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={busy}>
          {t('fields.save')}
        </Button>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
      </div>
    </form>
  )
}
