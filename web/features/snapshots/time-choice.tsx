import type { SnapshotItem } from '../../../shared/api/snapshots.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { navigate } from '../../lib/router.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { Snapshots } from '../files/items/use-snapshots.ts'
import styles from './snapshots.module.css'

interface TimeChoiceProps {
  snapshots: Snapshots
  chosen: SnapshotItem | undefined
  /** In-app address of the same entry in another snapshot. */
  urlOf: (id: string) => string
}

/** The snapshots as a list, and as a slider from the oldest to the newest. */
export function TimeChoice({ snapshots: { items, more, loadMore }, chosen, urlOf }: TimeChoiceProps) {
  if (items.length === 0) return null
  const show = (id: string) => void navigate(urlOf(id), { replace: true })
  const position = chosen ? items.length - 1 - items.indexOf(chosen) : 0
  return (
    <div className={styles.times}>
      <SelectField
        label={t('snapshots.choose')}
        value={chosen?.id ?? ''}
        choices={[
          ...(chosen ? [] : [{ value: '', label: '–' }]),
          ...items.map(({ id, time, name }) => ({ value: id, label: `${formatDate(time)} · ${name}` })),
        ]}
        onChange={show}
      />
      {items.length > 1 && (
        <input
          className={styles.slider}
          type="range"
          aria-label={t('snapshots.slider')}
          aria-valuetext={chosen && formatDate(chosen.time)}
          min={0}
          max={items.length - 1}
          value={position}
          onChange={event => show(items[items.length - 1 - Number(event.currentTarget.value)]?.id ?? '')}
        />
      )}
      {more && <Button onClick={() => void loadMore()}>{t('snapshots.further')}</Button>}
    </div>
  )
}
