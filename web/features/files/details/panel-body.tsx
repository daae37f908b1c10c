import { useState } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { lazyHistory } from '../../../lib/lazy.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { DetailsContent } from './content.tsx'
import styles from './details.module.css'
import { SubjectPicture } from './heading.tsx'
import type { Subject } from './subject.ts'

const Activity = lazyHistory(() => import('./activity.tsx'))

/** The details of the subject, or what was changed in it. @param pictured with its thumbnail */
export function PanelBody({ subject, pictured = true }: { subject: Subject; pictured?: boolean }) {
  const [isActivity, setActivity] = useState(false)
  const path =
    subject.about === 'item' ? subject.item.path : subject.about === 'folder' ? subject.folder.path : undefined
  if (path === undefined) return <DetailsContent subject={subject} />
  const tab = (label: string, isOn: boolean, show: () => void) => (
    <button type="button" className={styles.tab} aria-pressed={isOn} onClick={show}>
      {label}
    </button>
  )
  return (
    <>
      <div className={styles.tabs}>
        {tab(t('details.title'), !isActivity, () => setActivity(false))}
        {tab(t('details.activity'), isActivity, () => setActivity(true))}
      </div>
      {isActivity ? (
        <LazyBoundary>
          <Activity key={path} path={path} />
        </LazyBoundary>
      ) : (
        <>
          {pictured && <SubjectPicture subject={subject} />}
          <DetailsContent subject={subject} />
        </>
      )}
    </>
  )
}
