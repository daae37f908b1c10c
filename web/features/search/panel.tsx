import { type MouseEvent, type RefObject, useEffect } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, ROOT } from '../../../shared/path.ts'
import { announce } from '../../lib/announce.ts'
import { ApiError } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useCurrentFolder } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CircleStop } from '../../ui/icons.ts'
import styles from './panel.module.css'
import {
  hasType,
  inContents,
  namesContents,
  SEARCH_TYPES,
  type SearchType,
  toggleType,
  withoutContents,
} from './query-text.ts'
import { Results } from './results.tsx'
import { changeSearch, searchNow, useSearch } from './store.ts'
import { type Hits, MAX_HITS, useHits } from './use-hits.ts'
import { useSearchKeys } from './use-search-focus.ts'

const TYPE_LABELS = {
  image: 'search.typeImage',
  audio: 'search.typeAudio',
  video: 'search.typeVideo',
  pdf: 'search.typePdf',
} as const satisfies Record<SearchType, string>

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
  useAnnouncement(found)
  const status = <Status found={found} onStop={found.stop} />
  const name = shownName(nameOf(folder)) || t('files.home')
  return (
    // Clicks between its parts leave the focus inside.
    <div className={styles.panel} tabIndex={-1}>
      <Filters input={input} hasFolder={here !== ROOT} />
      {found.state === 'failed' && <Failure error={found.error} />}
      <Unread found={found} />
      {found.hits.length > 0 ? (
        <Results key={found.run} found={found} input={input} status={status} onClose={onClose} />
      ) : (
        status
      )}
      {found.state === 'idle' && !isInside && <p className={styles.hint}>{t('search.hint')}</p>}
      {found.state === 'done' && found.hits.length === 0 && (
        <Nothing query={text.trim()} name={name} mayWiden={folder !== ROOT} input={input} />
      )}
    </div>
  )
}

function Filters({ input, hasFolder }: { input: SearchPanelProps['input']; hasFolder: boolean }) {
  const { text, onlyHere, inContents: isInside } = useSearch()
  const isPressed = isInside || namesContents(text)
  const hasContents = useSession().user?.perm.download && pageConfig.SearchesContents
  /** After a click the focus returns to the field; by keyboard it stays, to move on to the next button. */
  const change = (event: MouseEvent, part: Parameters<typeof changeSearch>[0]) => {
    changeSearch(part)
    if (event.detail > 0) input.current?.focus()
  }
  return (
    <div className={styles.filters}>
      <fieldset className={styles.types}>
        <legend className="visually-hidden">{t('search.types')}</legend>
        {SEARCH_TYPES.map(type => (
          <button
            key={type}
            type="button"
            className={styles.chip}
            aria-pressed={hasType(text, type)}
            onClick={event => change(event, { text: toggleType(text, type) })}
          >
            {t(TYPE_LABELS[type])}
          </button>
        ))}
      </fieldset>
      <div className={styles.types}>
        {hasContents && (
          <button
            type="button"
            className={styles.chip}
            aria-pressed={isPressed}
            onClick={event => change(event, { inContents: !isPressed, text: isPressed ? withoutContents(text) : text })}
          >
            {t('search.contents')}
          </button>
        )}
        {hasFolder && (
          <button
            type="button"
            className={styles.chip}
            aria-pressed={onlyHere}
            onClick={event => change(event, { onlyHere: !onlyHere })}
          >
            {t('search.onlyHere')}
          </button>
        )}
      </div>
    </div>
  )
}

/** What a search could not read. */
function Unread({ found }: { found: Hits }) {
  const text = unreadText(found)
  return (
    <p className={styles.hint} role="status" hidden={text === ''}>
      {text}
    </p>
  )
}

function unreadText({ contents, unread }: Hits): string {
  if (unread > 0) return t('files.unread', { count: unread })
  return contents === 'building' ? t('search.building') : contents === 'limited' ? t('search.limited') : ''
}

function Status({ found, onStop }: { found: Hits; onStop: () => void }) {
  const { state, hits } = found
  if (state === 'idle' || (hits.length === 0 && state !== 'searching' && state !== 'stopped')) return null
  return (
    <div className={styles.status} data-busy={state === 'searching' || undefined}>
      <p className={styles.count}>{statusText(found)}</p>
      {state === 'searching' && (
        <Button kind="quiet" className={styles.stop} icon={<CircleStop size={16} aria-hidden />} onClick={onStop}>
          {t('search.stop')}
        </Button>
      )}
    </div>
  )
}

function statusText({ state, hits }: Hits): string {
  const count = hits.length
  if (state === 'searching') return t('search.searching', { count })
  if (state === 'stopped') return t('search.stopped', { count })
  return state === 'truncated' ? t('search.truncated', { count: formatNumber(MAX_HITS) }) : t('search.found', { count })
}

/** Announces the end of a search, once. */
function useAnnouncement(found: Hits): void {
  const { state } = found
  const text = state === 'idle' || state === 'searching' || state === 'failed' ? '' : statusText(found)
  useEffect(() => {
    if (text !== '') announce(text)
  }, [text])
}

function Failure({ error }: { error: unknown }) {
  const code = error instanceof ApiError ? error.code : ''
  const refused = error instanceof ApiError && (error.status === 400 || code === 'not_indexed')
  const text = code === 'not_indexed' ? t('search.notIndexed') : t('search.refused')
  return (
    <div className={styles.failure} role="alert">
      <p>{refused ? text : errorText(error)}</p>
      {!refused && <Button onClick={searchNow}>{t('common.retry')}</Button>}
    </div>
  )
}

interface NothingProps {
  query: string
  /** The scope of the search. */
  name: string
  mayWiden: boolean
  input: SearchPanelProps['input']
}

function Nothing({ query, name, mayWiden, input }: NothingProps) {
  const widen = () => {
    changeSearch({ onlyHere: false })
    // The button is removed.
    input.current?.focus()
  }
  return (
    <div className={styles.nothing}>
      <p className={styles.nothingText}>{t('search.nothing', { query, name })}</p>
      {mayWiden && <Button onClick={widen}>{t('search.everywhere')}</Button>}
    </div>
  )
}
