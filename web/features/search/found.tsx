import { type MouseEvent, type ReactNode, useEffect } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, nameOf, ROOT } from '../../../shared/path.ts'
import { announce } from '../../lib/announce.ts'
import { ApiError } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { CircleStop } from '../../ui/icons.ts'
import styles from './panel.module.css'
import { hasType, namesContents, SEARCH_TYPES, TYPE_LABELS, toggleType, withoutContents } from './query-text.ts'
import { type SearchState, searchNow } from './store.ts'
import { type Hits, MAX_HITS } from './use-hits.ts'

/** What restricts a search. */
export type Choice = Pick<SearchState, 'text' | 'onlyHere' | 'inContents'>

type Change = (part: Partial<Choice>, event?: MouseEvent) => void

export interface FiltersProps {
  value: Choice
  /** Whether the search began in a folder, to which it can be restricted. */
  hasFolder: boolean
  onChange: Change
  /** Further filters. */
  children?: ReactNode
}

/** The types, contents and scope of a search. */
export function Filters({ value, hasFolder, onChange, children }: FiltersProps) {
  const { text, onlyHere, inContents: isInside } = value
  const isPressed = isInside || namesContents(text)
  const hasContents = useHasContents()
  return (
    <div className={styles.filters}>
      <fieldset className={styles.types}>
        <legend className="visually-hidden">{t('search.types')}</legend>
        {SEARCH_TYPES.map(type => (
          <FilterChip
            key={type}
            label={t(TYPE_LABELS[type])}
            pressed={hasType(text, type)}
            onClick={event => onChange({ text: toggleType(text, type) }, event)}
          />
        ))}
      </fieldset>
      {children}
      <div className={styles.types}>
        {hasContents && (
          <FilterChip
            label={t('search.contents')}
            hint={t('search.contentsHint')}
            pressed={isPressed}
            onClick={event =>
              onChange({ inContents: !isPressed, text: isPressed ? withoutContents(text) : text }, event)
            }
          />
        )}
        {hasFolder && (
          <FilterChip
            label={t('search.onlyHere')}
            pressed={onlyHere}
            onClick={event => onChange({ onlyHere: !onlyHere }, event)}
          />
        )}
      </div>
    </div>
  )
}

/** Whether the user can search the text of files. */
export function useHasContents(): boolean {
  return useSession().user?.perm.download === true && pageConfig.SearchesContents
}

interface FoundProps {
  found: Hits & { stop: () => void }
  /** The scope of the search. */
  folder: FilePath
  /** As typed. */
  query: string
  onWiden: Change
  /** What else to try where nothing is found. */
  instead?: ReactNode
  /** The results, below the status of the search. */
  results: (status: ReactNode) => ReactNode
}

/** The status and the results of a search, or why there are none. */
export function Found({ found, folder, query, onWiden, instead, results }: FoundProps) {
  useAnnouncement(found)
  const status = <Status found={found} onStop={found.stop} />
  const name = shownName(nameOf(folder)) || t('files.home')
  return (
    <>
      {found.state === 'failed' && <Failure error={found.error} />}
      <Unread found={found} />
      {found.hits.length > 0 ? results(status) : status}
      {found.state === 'done' && found.hits.length === 0 && (
        <Nothing
          query={query.trim()}
          name={name}
          onWiden={folder === ROOT ? undefined : () => onWiden({ onlyHere: false })}
          instead={instead}
        />
      )}
    </>
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
  /** Searches everywhere; none where the search does. The button is removed. */
  onWiden: (() => void) | undefined
  instead: ReactNode
}

function Nothing({ query, name, onWiden, instead }: NothingProps) {
  return (
    <div className={styles.nothing}>
      <p className={styles.nothingText}>{t('search.nothing', { query, name })}</p>
      {onWiden && <Button onClick={onWiden}>{t('search.everywhere')}</Button>}
      {instead}
    </div>
  )
}
