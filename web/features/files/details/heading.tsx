import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Glyph, kindOf } from '../../../ui/glyph.tsx'
import styles from './details.module.css'
import type { Subject } from './subject.ts'

/** What the details are about, in words. */
export function subjectName(subject: Subject): string {
  if (subject.about === 'many') return t('files.count', { count: subject.items.length })
  if (subject.about === 'item') return shownName(subject.item.name)
  return shownName(nameOf(parsePath(subject.folder.path))) || t('files.home')
}

/** What it looks like. */
export function SubjectPicture({ subject }: { subject: Subject }) {
  const kind = subject.about === 'item' ? kindOf(subject.item) : 'folder'
  return (
    <div className={styles.picture} data-many={subject.about === 'many' || undefined}>
      <Glyph kind={kind} large />
    </div>
  )
}
