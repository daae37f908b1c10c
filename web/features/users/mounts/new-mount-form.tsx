import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Mount, RootAnswer } from '../../../../shared/api/mounts.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { type Problems, refusalOf } from '../../../lib/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { addMount } from '../api/mounts.ts'
import styles from './mounts.module.css'
import { nameProblem } from './problems.ts'

interface NewMountFormProps {
  roots: readonly RootAnswer[]
  /** Those that exist. */
  mounts: readonly Mount[]
  /** Runs after a mount was made, and without one. */
  onDone: () => void
}

/** Chooses a folder of a root, and its name. */
export function NewMountForm({ roots, mounts, onDone }: NewMountFormProps) {
  const [name, setName] = useState('')
  const [root, setRoot] = useState(roots[0]?.name ?? '')
  const [folder, setFolder] = useState('')
  const [make, setMake] = useState(false)
  const [readOnly, setReadOnly] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = { name: name.trim(), root, folder: folder.trim() || '/', make, readOnly }
    if (wanted.name === '') return setProblems({ name: t('tokens.labelMissing') })
    setBusy(true)
    try {
      await addMount(wanted)
      notify('success', t('audit.mountAdded'))
      onDone()
    } catch (error) {
      setProblems(problemsIn(error, wanted, mounts))
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event)}>
      <TextField
        ref={first}
        label={t('tokens.label')}
        error={problems.name}
        autoComplete="off"
        dir="auto"
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <SelectField
        label={t('mounts.root')}
        error={problems.root}
        choices={roots.map(({ name: value }) => ({ value, label: value }))}
        value={root}
        onChange={setRoot}
      />
      <TextField
        label={t('kinds.folder')}
        hint={t('mounts.folderHint')}
        error={problems.folder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        value={folder}
        onChange={event => setFolder(event.target.value)}
      />
      <Checkbox label={t('mounts.make')} checked={make} onChange={setMake} />
      <Checkbox label={t('mounts.readOnly')} checked={readOnly} onChange={setReadOnly} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={busy}>
          {t('users.create')}
        </Button>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
      </div>
    </form>
  )
}

/** The errors at their fields; any other error is at the root. */
function problemsIn(error: unknown, { name }: { name: string }, mounts: readonly Mount[]): Problems {
  const isTaken = error instanceof ApiError && error.status === 409
  const hasName = mounts.some(mount => mount.name.toLowerCase() === name.toLowerCase())
  if (isTaken && !hasName) return { folder: t('mounts.folderTaken') }
  const problem = nameProblem(error)
  if (problem) return { name: problem }
  return refusalOf(error)?.field === 'folder' ? { folder: t('mounts.folderMissing') } : { root: errorText(error) }
}
