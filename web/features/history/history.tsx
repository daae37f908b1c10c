import { useState } from 'react'
import type { FilePath } from '../../../shared/path.ts'
import { locationStore } from '../../lib/history.ts'
import { t } from '../../lib/i18n/index.ts'
import { navigate } from '../../lib/router.tsx'
import { useStore } from '../../lib/store.ts'
import { PageFrame } from '../../ui/page-frame.tsx'
import { FilteredChanges } from './changes.tsx'
import styles from './history.module.css'
import { type HistoryOptions, optionsIn, queryOf } from './options.ts'

/** The page of all changes; its filters are in the address. @param from a file or folder, offered as a filter */
export default function HistoryPage({ from }: { from: FilePath }) {
  const { id, search } = useStore(locationStore)
  return (
    <PageFrame title={t('nav.history')} className={styles.page}>
      <div className={styles.content}>
        <AddressedChanges key={id} from={from} search={search} />
      </div>
    </PageFrame>
  )
}

function AddressedChanges({ from, search }: { from: FilePath; search: string }) {
  const [options, setOptions] = useState(() => optionsIn(search, from))
  const show = (next: HistoryOptions) => {
    setOptions(next)
    void navigate(`/history/${queryOf(next, from)}`, { replace: true })
  }
  return <FilteredChanges options={options} onOptions={show} from={from} level={2} />
}
