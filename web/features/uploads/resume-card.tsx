import { t } from '../../lib/i18n/index.ts'
import { ActivityCard } from '../../ui/activity-card.tsx'
import { Button } from '../../ui/button.tsx'
import type { Interrupted } from './interrupted.ts'
import { chooseItems } from './launch.ts'
import styles from './panel.module.css'
import { continueInterrupted, forgetInterrupted } from './runtime.ts'

/** Offers to resume the uploads of an earlier page. Browsers require the files to be chosen again. */
export function ResumeCard({ left }: { left: readonly Interrupted[] }) {
  const choose = (what: 'files' | 'folder') => void continueInterrupted(chooseItems(what))
  return (
    <ActivityCard label={t('uploads.region')} title={t('uploads.continueTitle', { count: left.length })}>
      <p className={styles.hint}>{t('uploads.continueText')}</p>
      <div className={`${styles.foot} ${styles.left}`}>
        <Button kind="quiet" onClick={() => void forgetInterrupted()}>
          {t('uploads.giveUp')}
        </Button>
        <Button kind="quiet" onClick={() => choose('folder')}>
          {t('uploads.continueFolder')}
        </Button>
        <Button kind="primary" onClick={() => choose('files')}>
          {t('uploads.continue')}
        </Button>
      </div>
    </ActivityCard>
  )
}
