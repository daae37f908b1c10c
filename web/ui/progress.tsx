import styles from './progress.module.css'

export interface ProgressProps {
  /** Accessible name. */
  label: string
  /** Between 0 and 1. */
  value: number
  /** Text of the value for screen readers, if the percentage is not enough. */
  valueText?: string
  tone?: 'accent' | 'warn' | 'danger'
  /** `meter` for a level (disk usage), `progressbar` for work in progress. */
  role?: 'progressbar' | 'meter'
}

/** A thin progress bar. */
export function Progress({ label, value, valueText, tone = 'accent', role = 'progressbar' }: ProgressProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  const fill = <div className={styles.fill} data-tone={tone} style={{ inlineSize: `${percent}%` }} />
  if (role === 'meter') {
    return (
      <>
        <meter
          className="visually-hidden"
          min={0}
          max={100}
          value={percent}
          aria-label={label}
          aria-valuetext={valueText}
        />
        <div className={styles.track}>{fill}</div>
      </>
    )
  }
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
    >
      {fill}
    </div>
  )
}
