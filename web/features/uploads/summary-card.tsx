import { useState } from 'react'
import { nameOf } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { ActivityCard } from '../../ui/activity-card.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { X } from '../../ui/icons.ts'
import { requestFocus } from '../files/items/focus-request.ts'
import { undoAll } from '../files/operations/undo.ts'
import styles from './panel.module.css'
import { dismissSummary, type Summary } from './summary.ts'

/** What the last run has uploaded, where it is, and its undo. */
export function SummaryCard({ summary: { folder, names, count, isFiles, skipped, changes } }: { summary: Summary }) {
  const show = () => {
    requestFocus(folder, names)
    void navigate(filesUrl(folder, true))
  }
  const [undoing, setUndoing] = useState(false)
  const undo = () => {
    setUndoing(true)
    void undoAll(changes).finally(() => setUndoing(false))
  }
  const name = nameOf(folder) || t('files.home')
  return (
    <ActivityCard
      label={t('uploads.region')}
      title={
        <>
          <p className={styles.done}>
            {isFiles ? t('uploads.doneIn', { count, folder: name }) : t('uploads.done', { count })}
          </p>
          {skipped > 0 && <p className={styles.pace}>{t('uploads.tallySkipped', { count: skipped })}</p>}
        </>
      }
      actions={
        <IconButton label={t('uploads.dismiss')} onClick={dismissSummary}>
          <X size={18} aria-hidden />
        </IconButton>
      }
    >
      <div className={styles.ways}>
        {changes.length > 0 && (
          <Button kind="quiet" busy={undoing} onClick={undo}>
            {t('undo.undo')}
          </Button>
        )}
        <Button kind="quiet" onClick={show}>
          {t('uploads.show')}
        </Button>
      </div>
    </ActivityCard>
  )
}
