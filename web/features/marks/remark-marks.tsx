import type { Mark as Marked } from '../../../shared/api/marks.ts'
import { t } from '../../lib/i18n/index.ts'
import { MessageSquare, StickyNote } from '../../ui/icons.ts'
import { Mark } from '../files/listing/cells.tsx'

/** Marks an item with a note, and one with comments, in its row. */
export default function RemarkMarks({ mark: { note, comments } }: { mark: Marked }) {
  return (
    <>
      {note && <Mark icon={StickyNote} label={t('remarks.note')} />}
      {comments !== undefined && <Mark icon={MessageSquare} label={t('remarks.comments')} />}
    </>
  )
}
