import { type Activities, callActivities, useActivities } from '../../lib/activity.ts'
import { formatPercent } from '../../lib/i18n/format.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { ArrowDownUp } from '../../ui/icons.ts'
import styles from './activity-button.module.css'
import { goToActivities } from './regions.ts'

const RADIUS = 13
const ROUND = 2 * Math.PI * RADIUS

/** A ring that shows how far uploads and jobs are; leads to their panels. Not there while nothing goes on. */
export default function ActivityButton() {
  useLocale()
  const activities = useActivities()
  const share = shareOf(activities)
  const names = [activities.uploads && t('uploads.region'), activities.jobs && t('jobs.region')].filter(Boolean)
  if (names.length === 0) return null
  const failed = Object.values(activities).some(activity => activity.failed)
  const label = [...names, ...(share === undefined ? [] : [formatPercent(share)])].join(' · ')
  const show = () => {
    callActivities()
    goToActivities()
  }
  return (
    <IconButton label={label} className={styles.button} data-failed={failed || undefined} onClick={show}>
      <svg className={styles.ring} viewBox="0 0 32 32" fill="none" strokeWidth="2.5" aria-hidden="true">
        <circle className={styles.track} cx="16" cy="16" r={RADIUS} />
        <circle
          className={styles.done}
          cx="16"
          cy="16"
          r={RADIUS}
          strokeDasharray={`${(share ?? 0.25) * ROUND} ${ROUND}`}
          strokeLinecap="round"
        />
      </svg>
      <ArrowDownUp size={14} aria-hidden />
    </IconButton>
  )
}

/** Of all together, in whole percents rounded up as everywhere (specification section 4). */
function shareOf(activities: Activities): number | undefined {
  const known = Object.values(activities).flatMap(({ share }) => share ?? [])
  if (known.length === 0) return undefined
  return Math.ceil((100 * known.reduce((sum, share) => sum + share, 0)) / known.length) / 100
}
