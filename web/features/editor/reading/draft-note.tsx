import { formatDate, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import type { TextDraft } from '../drafts.ts'
import styles from '../notice.module.css'

/** Says that there is a draft; the editor shows it and offers to restore it. */
export function DraftNote({ draft: { at }, onEdit }: { draft: TextDraft; onEdit: () => void }) {
  return (
    <section className={styles.notice} aria-label={t('editor.draft')}>
      <p className={styles.text}>{t('editor.draftKept', { date: formatDate(at), age: formatRelative(at) })}</p>
      <Button onClick={onEdit}>{t('editor.showDraft')}</Button>
    </section>
  )
}
