import { useDeferredValue } from 'react'
import type { FilePath } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-list.tsx'
import { History } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ChangeList } from '../files/changes/change-list.tsx'
import { ChangeRow } from '../files/changes/change-row.tsx'
import { useChanges } from '../files/changes/use-changes.ts'
import { HistoryFilter } from './filter.tsx'
import styles from './history.module.css'
import { changesOf, EVERYTHING, type HistoryOptions, isFiltered } from './options.ts'

interface FilteredChangesProps {
  options: HistoryOptions
  onOptions: (options: HistoryOptions) => void
  /** The folder that the user comes from. */
  from: FilePath
  /** Level of the headings of days. */
  level: 2 | 3
}

/** What users changed, with filters, by day; each line opens its steps. */
export function FilteredChanges({ options, onOptions, from, level }: FilteredChangesProps) {
  const settled = useDeferredValue(options)
  return (
    <>
      <HistoryFilter options={options} from={from} onChange={onOptions} />
      <Changes key={JSON.stringify(settled)} options={settled} level={level} onClear={() => onOptions(EVERYTHING)} />
    </>
  )
}

interface ChangesProps {
  options: HistoryOptions
  level: 2 | 3
  onClear: () => void
}

function Changes({ options, level, onClear }: ChangesProps) {
  const { items, more, isLoading, error, isBusy, retry, loadMore } = useChanges(changesOf(options))
  if (error) {
    if (error instanceof ApiError && error.status === 501) return <EmptyList text={t('history.off')} />
    return <LoadFailure error={error} onRetry={retry} />
  }
  if (isLoading) return <Spinner label={t('common.loading')} onRetry={retry} />
  if (items.length === 0) return isFiltered(options) ? <NoMatch onClear={onClear} /> : <Nothing />
  return (
    <section className={styles.changes} aria-label={t('history.list')}>
      <ChangeList items={items} level={level} renderLine={change => <ChangeRow key={change.id} change={change} />} />
      {more && (
        <Button className={styles.more} busy={isBusy} onClick={loadMore}>
          {t('changes.older')}
        </Button>
      )}
      <p className={styles.hint}>{t('history.outside')}</p>
    </section>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyList>
      <p role="status">{t('history.noMatch')}</p>
      <Button onClick={onClear}>{t('history.clear')}</Button>
    </EmptyList>
  )
}

function Nothing() {
  return (
    <EmptyList icon={<History size={40} aria-hidden />} title={t('history.nothing')} text={t('history.nothingText')} />
  )
}
