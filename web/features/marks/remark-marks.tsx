import type { Mark } from '../../../shared/api/marks.ts'
import { t } from '../../lib/i18n/index.ts'
import { MessageSquare, StickyNote } from '../../ui/icons.ts'
import styles from './remark-marks.module.css'

/** Marks an item with a note, and one with comments, in its row. */
export default function RemarkMarks({ mark: { note, comments } }: { mark: Mark }) {
  return (
    <>
      {note && <RemarkMark icon={StickyNote} label={t('remarks.note')} />}
      {comments !== undefined && <RemarkMark icon={MessageSquare} label={t('remarks.comments')} />}
    </>
  )
}

function RemarkMark({ icon: Icon, label }: { icon: typeof StickyNote; label: string }) {
  return (
    <span className={styles.mark} role="img" aria-label={label} data-tip={label}>
      <Icon size={14} aria-hidden />
    </span>
  )
}
