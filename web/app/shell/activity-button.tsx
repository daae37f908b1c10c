import { type Activities, openActivities, useActivities } from '../../lib/activity.ts'
import { formatFacts, formatNumber, formatPercent } from '../../lib/i18n/format.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { ArrowDownUp } from '../../ui/icons.ts'
import styles from './activity-button.module.css'
import { goToActivities } from './regions.ts'

const RADIUS = 13
const ROUND = 2 * Math.PI * RADIUS

/** A progress ring of uploads and jobs, with the number of jobs; opens their panels. Hidden without any. */
export default function ActivityButton() {
  useLocale()
  const activities = useActivities()
  const share = shareOf(activities)
  const { uploads, jobs } = activities
  if (!(uploads || jobs)) return null
  const { running = 0, planned = 0 } = jobs ?? {}
  const count = running + planned > 0 ? formatNumber(running + planned) : undefined
  const failed = Object.values(activities).some(activity => activity.failed)
  const label = formatFacts([
    ...(uploads ? [t('uploads.region')] : []),
    ...(jobs ? [t('jobs.region')] : []),
    ...(running > 0 ? [t('jobs.running', { count: running })] : []),
    ...(planned > 0 ? [t('jobs.scheduled', { count: planned })] : []),
    ...(share === undefined ? [] : [formatPercent(share)]),
  ])
  const show = () => {
    openActivities()
    // A panel shown only by this call is there with the next frame.
    requestAnimationFrame(goToActivities)
  }
  return (
    <IconButton
      label={label}
      className={styles.button}
      data-failed={failed || undefined}
      data-count={count}
      onClick={show}
    >
      <svg className={styles.ring} viewBox="0 0 32 32" fill="none" strokeWidth="2.5" aria-hidden="true">
        <circle className={styles.track} cx="16" cy="16" r={RADIUS} />
        <circle
          className={styles.done}
          cx="16"
          cy="16"
          r={RADIUS}
          strokeDasharray={`${(share ?? (running > 0 ? 0.25 : 0)) * ROUND} ${ROUND}`}
          strokeLinecap="round"
        />
      </svg>
      <ArrowDownUp size={14} aria-hidden />
    </IconButton>
  )
}

/** Of all activities together, in percent rounded up as everywhere. */
function shareOf(activities: Activities): number | undefined {
  const known = Object.values(activities).flatMap(({ share }) => share ?? [])
  if (known.length === 0) return undefined
  return Math.ceil((100 * known.reduce((sum, share) => sum + share, 0)) / known.length) / 100
}
