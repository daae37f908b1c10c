import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useSession } from '../../../lib/session.ts'
import { Glyph } from '../../../ui/glyph.tsx'
import { Thumb } from '../items/thumb.tsx'
import styles from './details.module.css'
import type { Subject } from './subject.ts'

/** Heading of the details. */
export function subjectName(subject: Subject): string {
  if (subject.about === 'many') return t('files.count', { count: subject.items.length })
  if (subject.about === 'item') return shownName(subject.item.name)
  return shownName(nameOf(parsePath(subject.folder.path))) || t('files.home')
}

/** Its thumbnail or glyph; none for several items. */
export function SubjectPicture({ subject }: { subject: Subject }) {
  const { user } = useSession()
  if (subject.about === 'many') return null
  return (
    <div className={styles.picture}>
      {subject.about === 'item' ? (
        <Thumb item={subject.item} allowed={user?.perm.download ?? false} large />
      ) : (
        <Glyph kind="folder" large />
      )}
    </div>
  )
}
