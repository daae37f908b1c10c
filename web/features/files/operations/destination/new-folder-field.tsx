import { type FormEvent, useEffect, useRef, useState } from 'react'
import { childOf, type FilePath } from '../../../../../shared/path.ts'
import { ApiError } from '../../../../lib/api.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { X } from '../../../../ui/icons.ts'
import { createFolder } from '../../api/create-folder.ts'
import { reloadFolder } from '../../api/list.ts'
import { nameProblem } from '../../items/names.ts'
import { errorMessageOf } from '../error-messages.ts'
import styles from './destination.module.css'

export interface NewFolderFieldProps {
  /** Parent of the new folder. */
  folder: FilePath
  onCancel: () => void
  onMade: (name: string) => void
}

/** Creates a folder from within the folder picker. */
export function NewFolderField({ folder, onCancel, onMade }: NewFolderFieldProps) {
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    void form.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const name = value.trim()
    const wrong = nameProblem(name)
    if (wrong) return setProblem(wrong)
    setBusy(true)
    try {
      await createFolder(childOf(folder, name))
    } catch (error) {
      setBusy(false)
      const taken = error instanceof ApiError && error.status === 409
      setProblem(taken ? t('files.nameTaken', { name }) : errorMessageOf(error))
      return field.current?.focus()
    }
    await reloadFolder(folder)
    onMade(name)
  }
  return (
    <form ref={form} className={styles.newFolder} onSubmit={event => void submit(event)} noValidate>
      <TextField
        ref={field}
        label={t('files.folderName')}
        value={value}
        error={problem}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        onChange={event => {
          setValue(event.target.value)
          setProblem(undefined)
        }}
      />
      <Button type="submit" busy={busy} className={styles.afterLabel}>
        {t('files.folderCreate')}
      </Button>
      <IconButton label={t('picker.noNewFolder')} className={styles.afterLabel} onClick={onCancel}>
        <X size={18} aria-hidden />
      </IconButton>
    </form>
  )
}
