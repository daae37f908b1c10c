import { useEffect, useRef } from 'react'
import { ROOT } from '../../../shared/path.ts'
import { locationStore } from '../../lib/history.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { noteReturn } from '../../lib/return.ts'
import { HOME_URL, type SearchPlace, searchUrl } from '../../lib/route.ts'
import { navigate } from '../../lib/router.tsx'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/button.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { savedQuery } from './api/saved.ts'
import { PageFilters } from './facet-menus.tsx'
import { type Choice, Found, useHasContents } from './found.tsx'
import styles from './page.module.css'
import { inContents, namesContents, withoutContents } from './query-text.ts'
import { isSavedAt } from './saved-places.ts'
import { SavedTools } from './saved-tools.tsx'
import { changeSearch, useSearch } from './store.ts'
import { TableResults } from './table-results.tsx'
import { useHits } from './use-hits.ts'
import { useTablePlace } from './use-table-place.ts'

/** Milliseconds of debounce while a range is typed. */
const PAUSE = 150

/** The results of a search, under an address of their own. */
export default function SearchPage({ place }: { place: SearchPlace }) {
  const { id } = useStore(locationStore)
  // Elsewhere, the field would show a search that nothing on the screen is restricted to.
  useEffect(() => () => changeSearch({ text: '', onlyHere: true, inContents: false }), [])
  return <Search key={id} place={place} />
}

function Search({ place }: { place: SearchPlace }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const table = useTablePlace()
  const { asked } = useSearch()
  const { query, everywhere, inContents: isInside } = place
  const folder = everywhere ? ROOT : place.folder
  const wanted = (isInside ? inContents(query) : query).trim()
  const found = useHits({ query: wanted, folder, asked, pause: PAUSE, details: true, recalls: table.returned })
  const choice: Choice = { text: query, onlyHere: !everywhere, inContents: isInside }
  const saved = useQuery(savedQuery).data?.items.find(each => isSavedAt(each, place))
  const { returned } = table
  useEffect(() => {
    // The field of the top bar shows what the page does.
    changeSearch({ text: query, onlyHere: !everywhere, inContents: isInside })
  }, [query, everywhere, isInside])
  const change = ({ text = query, onlyHere = !everywhere, inContents = isInside }: Partial<Choice>) => {
    const next = { query: text.trim(), folder: place.folder, everywhere: !onlyHere, inContents }
    void navigate(searchUrl(next), { replace: true })
  }
  return (
    <PageFrame
      title={saved?.name ?? t('search.results')}
      tools={<SavedTools place={place} saved={saved} heading={heading} />}
      className={styles.page}
      heading={heading}
      keepsFocus={returned}
    >
      <PageFilters value={choice} hasFolder={place.folder !== ROOT} onChange={change} />
      <Found
        found={found}
        folder={folder}
        query={query}
        onWiden={change}
        instead={<Instead isInside={isInside || namesContents(query)} onChange={change} query={query} />}
        results={status => (
          <TableResults
            key={found.run}
            found={found}
            input={heading}
            status={status}
            place={table}
            onClose={() => void navigate(HOME_URL)}
            onOpen={({ path }) => noteReturn(path)}
          />
        )}
      />
      {query === '' && <p className={styles.hint}>{t('search.hint')}</p>}
    </PageFrame>
  )
}

interface InsteadProps {
  query: string
  isInside: boolean
  onChange: (choice: Partial<Choice>) => void
}

/** Searches names where the text of files has nothing, and the other way round. */
function Instead({ query, isInside, onChange }: InsteadProps) {
  const hasContents = useHasContents()
  if (isInside)
    return (
      <>
        <p className={styles.hint}>{t('found.textFilesOnly')}</p>
        <Button onClick={() => onChange({ inContents: false, text: withoutContents(query) })}>
          {t('found.inNames')}
        </Button>
      </>
    )
  return hasContents ? <Button onClick={() => onChange({ inContents: true })}>{t('found.inContents')}</Button> : null
}
