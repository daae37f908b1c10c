import { type FormEvent, useState } from 'react'
import { MAX_VERSION_LABEL, type VersionItem } from '../../../shared/api/versions.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './versions.module.css'

interface NameFormProps {
  version: VersionItem
  onName: (label: string) => void
  onCancel: () => void
}

/** A name for a version, which also pins it. */
export function NameForm({ version, onName, onCancel }: NameFormProps) {
  const [label, setLabel] = useState(version.label ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onName(label.trim())
  }
  return (
    <form className={styles.question} onSubmit={submit}>
      <TextField
        label={t('versions.nameOf', { when: formatDate(version.modified) })}
        hint={t('versions.nameHint')}
        value={label}
        maxLength={MAX_VERSION_LABEL}
        autoComplete="off"
        autoFocus
        onChange={event => setLabel(event.currentTarget.value)}
      />
      <div className={styles.answers}>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button kind="primary" type="submit">
          {t('fields.save')}
        </Button>
      </div>
    </form>
  )
}

interface RemovalQuestionProps {
  version: VersionItem
  onRemove: () => void
  onCancel: () => void
}

/** Asks before a version is deleted for good. */
export function RemovalQuestion({ version, onRemove, onCancel }: RemovalQuestionProps) {
  return (
    <div className={styles.question} role="alert">
      <p>{t('versions.removeText', { when: version.label ?? formatDate(version.modified) })}</p>
      <div className={styles.answers}>
        <Button autoFocus onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button kind="danger" onClick={onRemove}>
          {t('versions.remove')}
        </Button>
      </div>
    </div>
  )
}
