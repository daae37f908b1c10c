import type { OfficeDocument } from '../../../../shared/api/office.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Link } from '../../../lib/router.tsx'
import buttons from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import styles from './viewer.module.css'

interface NotesProps {
  document: OfficeDocument
  /** The session has ended. */
  isOver: boolean
  /** Why the editor has no new token. */
  trouble: string | undefined
  /** The editor could not save. */
  isUnsaved: boolean
  /** Opens the document again. */
  onRetry: () => void
  /** Has the editor save what it shows next to the document; missing where the user may not create files. */
  onCopy?: () => void
}

/** What the user must know while the editor is open: one thing at a time, the worst first. */
export function Notes({ document, isOver, trouble, isUnsaved, onRetry, onCopy }: NotesProps) {
  const why = isUnsaved ? t('preview.officeUnsaved') : readOnlyText(document)
  return (
    <div aria-live="polite">
      {isOver ? (
        <div className={styles.note}>
          <p>{t('preview.officeEnded')}</p>
          <Link to="/login" target="_blank" className={`${buttons.button} ${buttons.primary}`}>
            {t('preview.officeLogin')}
          </Link>
        </div>
      ) : (
        (trouble ?? why) !== undefined && (
          <div className={styles.note}>
            <p>{trouble ?? why}</p>
            {trouble === undefined && isUnsaved && onCopy && (
              <Button onClick={onCopy}>{t('preview.officeCopy')}</Button>
            )}
            {trouble === undefined && !isUnsaved && document.reason === 'locked' && (
              <Button onClick={onRetry}>{t('common.retry')}</Button>
            )}
          </div>
        )
      )}
    </div>
  )
}

/** Why the document is only shown; nothing for one that can be changed. */
function readOnlyText({ writable, reason, lock }: OfficeDocument): string | undefined {
  if (writable) return undefined
  if (reason === 'format') return t('preview.officeViewOnly')
  if (reason !== 'locked' || !lock) return t('preview.officeReadOnly')
  const { who, mine, label: program } = lock
  return who === undefined || mine
    ? t('preview.officeLocked', { program })
    : t('preview.officeLockedBy', { who, program })
}
