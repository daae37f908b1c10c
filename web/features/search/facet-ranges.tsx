import { type ReactNode, useId } from 'react'
import { t } from '../../lib/i18n/index.ts'
import styles from './facets.module.css'
import { endsOf, wordOf } from './facets.ts'

interface RangeProps {
  /** The range in the query. */
  word: string
  onChange: (word: string) => void
}

/** The fields of a range of days. */
export function DateRange({ word, onChange }: RangeProps) {
  const [from, to] = endsOf(word)
  return (
    <fieldset className={styles.range}>
      <legend>{t('files.columnModified')}</legend>
      <End label={t('found.from')}>
        {id => (
          <input
            id={id}
            type="date"
            max={to || undefined}
            value={from}
            onChange={event => onChange(wordOf(event.target.value, to))}
          />
        )}
      </End>
      <End label={t('found.to')}>
        {id => (
          <input
            id={id}
            type="date"
            min={from || undefined}
            value={to}
            onChange={event => onChange(wordOf(from, event.target.value))}
          />
        )}
      </End>
    </fieldset>
  )
}

/** The fields of a range of sizes in MiB. */
export function SizeRange({ word, onChange }: RangeProps) {
  const [from, to] = endsOf(word).map(end => end.replace(/MB$/, ''))
  const change = (first = '', last = '') => onChange(wordOf(inMegabytes(first), inMegabytes(last)))
  return (
    <fieldset className={styles.range}>
      <legend>{t('files.columnSize')}</legend>
      <End label={t('found.from')} unit="MiB">
        {id => (
          <input
            id={id}
            type="number"
            min={0}
            max={1e9}
            step="any"
            value={from}
            onChange={event => change(event.target.value, to)}
          />
        )}
      </End>
      <End label={t('found.to')} unit="MiB">
        {id => (
          <input
            id={id}
            type="number"
            min={0}
            max={1e9}
            step="any"
            value={to}
            onChange={event => change(from, event.target.value)}
          />
        )}
      </End>
    </fieldset>
  )
}

const inMegabytes = (count: string): string => (count === '' ? '' : `${Math.round(Number(count) * 1000) / 1000}MB`)

interface EndProps {
  label: string
  unit?: string
  children: (id: string) => ReactNode
}

function End({ label, unit, children }: EndProps) {
  const id = useId()
  return (
    <span className={styles.end}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {unit}
    </span>
  )
}
