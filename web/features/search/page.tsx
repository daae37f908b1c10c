import { useEffect, useRef } from 'react'
import { ROOT } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { noteReturn } from '../../lib/return.ts'
import { HOME_URL, type SearchPlace, searchUrl } from '../../lib/route.ts'
import { navigate } from '../../lib/router.tsx'
import { type Choice, Filters, Found } from './found.tsx'
import styles from './page.module.css'
import { inContents } from './query-text.ts'
import { changeSearch, useSearch } from './store.ts'
import { useHits } from './use-hits.ts'

/** The results of a search, under an address of their own. */
export default function SearchPage({ place }: { place: SearchPlace }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { asked } = useSearch()
  const { query, everywhere, inContents: isInside } = place
  const folder = everywhere ? ROOT : place.folder
  const found = useHits({ query: (isInside ? inContents(query) : query).trim(), folder, asked, pause: 0 })
  const choice: Choice = { text: query, onlyHere: !everywhere, inContents: isInside }
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    // The field of the top bar shows what the page does.
    changeSearch({ text: query, onlyHere: !everywhere, inContents: isInside })
  }, [query, everywhere, isInside])
  const change = ({ text = query, onlyHere = !everywhere, inContents = isInside }: Partial<Choice>) => {
    const next = { query: text.trim(), folder: place.folder, everywhere: !onlyHere, inContents }
    void navigate(searchUrl(next), { replace: true })
  }
  return (
    <div className={styles.page}>
      <h1 ref={heading} className={styles.title} tabIndex={-1}>
        {t('search.results')}
      </h1>
      <Filters value={choice} hasFolder={place.folder !== ROOT} onChange={change} />
      <Found
        found={found}
        folder={folder}
        query={query}
        input={heading}
        onWiden={change}
        onClose={() => void navigate(HOME_URL)}
        onOpen={noteReturn}
      />
      {query === '' && <p className={styles.hint}>{t('search.hint')}</p>}
    </div>
  )
}
