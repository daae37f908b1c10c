import { useEffect, useRef, useState } from 'react'
import { childOf, type FilePath, nameOf, parentOf } from '../../../../../shared/path.ts'
import { ApiError } from '../../../../lib/api.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { X } from '../../../../ui/icons.ts'
import { errorMessageOf } from '../../api/error-messages.ts'
import { reloadFolder } from '../../api/list.ts'
import { createFolder } from '../../api/resource.ts'
import { NameForm } from '../name-form.tsx'
import styles from './destination.module.css'

interface NewFolderFieldProps {
  /** Parent of the new folder. */
  folder: FilePath
  onCancel: () => void
  onMade: (name: string) => void
  /** The names in the parent, in files that are not the user's own. */
  taken?: ReadonlySet<string> | undefined
  make?: MakeFolder
}

/** Makes a folder. @returns why it was not made */
export type MakeFolder = (path: FilePath) => Promise<string | undefined>

/** Creates a folder from within the folder picker: among the user's own files by default. */
export function NewFolderField({ folder, onCancel, onMade, taken, make = makeOwn }: NewFolderFieldProps) {
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [])

  const submit = async (name: string): Promise<string | undefined> => {
    if (busy) return undefined
    setBusy(true)
    const problem = await make(childOf(folder, name))
    if (problem === undefined) onMade(name)
    else setBusy(false)
    return problem
  }
  return (
    <NameForm
      label={t('files.folderName')}
      folder={taken ?? folder}
      value=""
      field={field}
      className={styles.newFolder}
      onName={submit}
    >
      <Button type="submit" busy={busy} className={styles.afterLabel}>
        {t('files.folderCreate')}
      </Button>
      <IconButton label={t('picker.noNewFolder')} className={styles.afterLabel} onClick={onCancel}>
        <X size={18} aria-hidden />
      </IconButton>
    </NameForm>
  )
}

async function makeOwn(path: FilePath): Promise<string | undefined> {
  try {
    await createFolder(path)
  } catch (error) {
    const isTaken = error instanceof ApiError && error.status === 409
    return isTaken ? t('files.nameTaken', { name: nameOf(path) }) : errorMessageOf(error)
  }
  await reloadFolder(parentOf(path))
}
