import type { MouseEvent, RefObject } from 'react'
import { ROOT } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { useCurrentFolder } from '../../lib/router.tsx'
import { type Choice, Filters, Found } from './found.tsx'
import styles from './panel.module.css'
import { inContents } from './query-text.ts'
import { QuickResults } from './quick-results.tsx'
import { changeSearch, useSearch } from './store.ts'
import { useHits } from './use-hits.ts'
import { useSearchKeys } from './use-search-focus.ts'

export interface SearchPanelProps {
  input: RefObject<HTMLInputElement | null>
  onClose: () => void
}

/** The filters of a search, its status, and its results. */
export default function SearchPanel({ input, onClose }: SearchPanelProps) {
  useSearchKeys(onClose, input)
  const { text, onlyHere, inContents: isInside, asked } = useSearch()
  const here = useCurrentFolder()
  const folder = onlyHere ? here : ROOT
  const found = useHits({ query: (isInside ? inContents(text) : text).trim(), folder, asked })
  /** After a click the focus returns to the field; by keyboard it stays, to move on to the next button. */
  const change = (part: Partial<Choice>, event?: MouseEvent) => {
    changeSearch(part)
    if (!event || event.detail > 0) input.current?.focus()
  }
  const choice = { text, onlyHere, inContents: isInside }
  return (
    // Clicks between its parts leave the focus inside.
    <div className={styles.panel} tabIndex={-1}>
      <Filters value={choice} hasFolder={here !== ROOT} onChange={change} />
      <Found
        found={found}
        folder={folder}
        query={text}
        onWiden={change}
        results={status => (
          <QuickResults key={found.run} found={found} input={input} status={status} onClose={onClose} />
        )}
      />
      {found.state === 'idle' && !isInside && <p className={styles.hint}>{t('search.hint')}</p>}
    </div>
  )
}
