import type { ReactNode } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { ArrowLeft } from '../../ui/icons.ts'
import styles from './editor.module.css'

interface EditorBarProps {
  name: string
  dirty?: boolean
  /** Text of the button that closes it; back to the folder unless given. */
  back?: string
  onClose: () => void
  children?: ReactNode
}

/** Back button, and the name of the file. */
export function EditorBar({ name, dirty = false, back = t('actions.back'), onClose, children }: EditorBarProps) {
  return (
    <div className={styles.bar}>
      <IconButton label={back} keys="Esc" onClick={onClose}>
        <ArrowLeft size={20} aria-hidden />
      </IconButton>
      <h1 className={styles.name}>
        <bdi>{shownName(name)}</bdi>
      </h1>
      <span role="status">
        {dirty && (
          <span className={styles.dirty} title={t('fields.unsaved')}>
            <span className="visually-hidden">{t('fields.unsaved')}</span>
          </span>
        )}
      </span>
      <div className={styles.actions}>{children}</div>
    </div>
  )
}
