import { t, useLocale } from '../../../lib/i18n/index.ts'
import { IconButton } from '../../../ui/button.tsx'
import { X } from '../../../ui/icons.ts'
import styles from './details.module.css'
import { subjectName } from './heading.tsx'
import { PanelBody } from './panel-body.tsx'
import { StarButton } from './star-button.tsx'
import { toggleDetails } from './store.ts'
import { useSubject } from './subject.ts'

/** The details panel next to the listing. */
export default function DetailsPanel() {
  useLocale()
  const subject = useSubject()
  if (!subject) return null
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>
          <bdi>{subjectName(subject)}</bdi>
        </h2>
        {subject.about === 'item' && <StarButton item={subject.item} />}
        <IconButton label={t('details.close')} keys="Ctrl+I" onClick={toggleDetails}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.body}>
        <PanelBody subject={subject} />
      </div>
    </>
  )
}
