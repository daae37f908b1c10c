import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search'
import type { EditorView } from '@codemirror/view'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ArrowDown, ArrowUp, CaseSensitive, Regex, WholeWord, X } from '../../../ui/icons.ts'
import styles from './bars.module.css'
import { type Matches, matchesOf } from './matches.ts'

interface SearchBarProps {
  view: RefObject<EditorView | null>
  readOnly: boolean
}

type Wanted = ConstructorParameters<typeof SearchQuery>[0]

/** Find and replace in a text. */
export function SearchBar({ view, readOnly }: SearchBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState<Wanted>(() => startOf(view.current))
  const [matches, setMatches] = useState<Matches>()
  useEffect(() => field.current?.select(), [])
  const close = () => {
    if (!view.current) return
    closeSearchPanel(view.current)
    view.current.focus()
  }
  useShortcuts('listing', [
    { keys: 'Escape', run: close, inText: true },
    { keys: 'Ctrl+F', run: () => field.current?.select(), inText: true },
  ])
  useEffect(() => {
    if (!view.current) return
    const query = new SearchQuery(wanted)
    view.current.dispatch({ effects: setSearchQuery.of(query) })
    setMatches(matchesOf(view.current.state, query))
  }, [view, wanted])
  const act = (command: (view: EditorView) => boolean) => {
    if (!view.current) return
    command(view.current)
    setMatches(matchesOf(view.current.state, new SearchQuery(wanted)))
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act(event.shiftKey ? findPrevious : findNext)
  }
  return (
    <search className={styles.bar}>
      <label className={styles.field}>
        <span>{t('editor.find')}</span>
        <input
          ref={field}
          type="text"
          defaultValue={wanted.search}
          aria-invalid={matches === undefined || undefined}
          onChange={event => setWanted({ ...wanted, search: event.target.value })}
          onKeyDown={onKey}
        />
      </label>
      <Toggle
        label={t('editor.matchCase')}
        on={wanted.caseSensitive}
        onToggle={on => setWanted({ ...wanted, caseSensitive: on })}
      >
        <CaseSensitive size={18} aria-hidden />
      </Toggle>
      <Toggle
        label={t('editor.wholeWord')}
        on={wanted.wholeWord}
        onToggle={on => setWanted({ ...wanted, wholeWord: on })}
      >
        <WholeWord size={18} aria-hidden />
      </Toggle>
      <Toggle label={t('common.regex')} on={wanted.regexp} onToggle={on => setWanted({ ...wanted, regexp: on })}>
        <Regex size={18} aria-hidden />
      </Toggle>
      <IconButton label={t('keys.previous')} keys="Shift+F3" onClick={() => act(findPrevious)}>
        <ArrowUp size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('keys.next')} keys="F3" onClick={() => act(findNext)}>
        <ArrowDown size={18} aria-hidden />
      </IconButton>
      <span className={styles.matches} role="status">
        {wanted.search !== '' && matchesText(matches)}
      </span>
      <IconButton className={styles.close} label={t('common.close')} keys="Esc" onClick={close}>
        <X size={18} aria-hidden />
      </IconButton>
      {!readOnly && (
        <div className={styles.replacing}>
          <label className={styles.field}>
            <span>{t('editor.replaceWith')}</span>
            <input type="text" onChange={event => setWanted({ ...wanted, replace: event.target.value })} />
          </label>
          <Button onClick={() => act(replaceNext)}>{t('conflicts.replace')}</Button>
          <Button onClick={() => act(replaceAll)}>{t('editor.replaceAll')}</Button>
        </div>
      )}
    </search>
  )
}

interface ToggleProps {
  label: string
  on: boolean | undefined
  onToggle: (on: boolean) => void
  children: ReactNode
}

function Toggle({ label, on = false, onToggle, children }: ToggleProps) {
  return (
    <IconButton className={styles.toggle} label={label} aria-pressed={on} onClick={() => onToggle(!on)}>
      {children}
    </IconButton>
  )
}

/** The last query, or the selection. */
function startOf(view: EditorView | null): Wanted {
  if (!view) return { search: '', literal: true }
  const { search, caseSensitive, regexp, wholeWord } = getSearchQuery(view.state)
  return { search, caseSensitive, regexp, wholeWord, literal: true }
}

function matchesText(matches: Matches | undefined): string {
  if (!matches || matches.count === 0) return t('editor.noMatch')
  const count = formatNumber(matches.count) + (matches.more ? '+' : '')
  return t('preview.position', { index: matches.index === 0 ? '–' : formatNumber(matches.index), count })
}
