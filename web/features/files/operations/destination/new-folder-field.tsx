import { useEffect, useRef, useState } from 'react'
import { childOf, type FilePath } from '../../../../../shared/path.ts'
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
}

/** Creates a folder from within the folder picker. */
export function NewFolderField({ folder, onCancel, onMade }: NewFolderFieldProps) {
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [])

  const make = async (name: string): Promise<string | undefined> => {
    if (busy) return undefined
    setBusy(true)
    try {
      await createFolder(childOf(folder, name))
    } catch (error) {
      setBusy(false)
      const taken = error instanceof ApiError && error.status === 409
      return taken ? t('files.nameTaken', { name }) : errorMessageOf(error)
    }
    await reloadFolder(folder)
    onMade(name)
  }
  return (
    <NameForm
      label={t('files.folderName')}
      folder={folder}
      value=""
      field={field}
      className={styles.newFolder}
      onName={make}
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
