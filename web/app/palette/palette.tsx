import { type KeyboardEvent, type MouseEvent, useId, useMemo, useRef, useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { showKeys } from '../../lib/keyboard.ts'
import { closePrompt } from '../../lib/prompts.ts'
import { href } from '../../lib/router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/icons.ts'
import { settingsTitle } from '../settings-title.ts'
import { commandsNow, type Entry } from './entries.tsx'
import { bestMatches } from './fuzzy.ts'
import styles from './palette.module.css'
import { useFoundFiles, useRecentFiles } from './use-files.ts'
import { useFoundUsers } from './use-users.tsx'

/** Commands listed above the files that were found. */
const MOST_COMMANDS = 8
/** In front of a text, it finds commands only. */
const COMMANDS_ONLY = '>'

interface Group {
  label: string
  entries: readonly Entry[]
}

/** Finds commands, pages, folders and files by their names (combobox pattern of the ARIA Authoring Practices). */
export default function PalettePrompt() {
  const [commands] = useState(commandsNow)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const onlyCommands = typed.startsWith(COMMANDS_ONLY)
  const text = (onlyCommands ? typed.slice(COMMANDS_ONLY.length) : typed).trim()
  const matches = useMemo(() => bestMatches(commands, text), [commands, text])
  const files = useFoundFiles(onlyCommands ? '' : text)
  const users = useFoundUsers(onlyCommands ? '' : text)
  const recent = useRecentFiles()
  const groups: Group[] = [
    { label: t('nav.recent'), entries: typed === '' ? recent : [] },
    { label: t('palette.title'), entries: text === '' || onlyCommands ? matches : matches.slice(0, MOST_COMMANDS) },
    { label: settingsTitle('users'), entries: users },
    { label: t('nav.myFiles'), entries: files },
  ]
  const found = groups.flatMap(({ entries }) => entries)
  const current = Math.min(at, found.length - 1)
  const run = (entry: Entry | undefined, { ctrlKey, metaKey }: Pick<MouseEvent, 'ctrlKey' | 'metaKey'>) => {
    if (!entry) return
    closePrompt()
    if ((ctrlKey || metaKey) && entry.to !== undefined) open(href(entry.to), '_blank', 'noopener')
    else entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((current + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(found[current], event)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={t('palette.title')} onClose={closePrompt} initialFocus={field}>
      <input
        ref={field}
        className={styles.field}
        type="text"
        role="combobox"
        aria-label={t('palette.find')}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${listId}-${current}` : undefined}
        placeholder={t('palette.find')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <Found id={listId} groups={groups} current={current} onRun={run} />
      <p className={styles.none} role="status">
        {found.length === 0 && t('palette.none')}
      </p>
    </Dialog>
  )
}

interface FoundProps {
  id: string
  groups: readonly Group[]
  /** Position of the chosen entry among those of all groups. */
  current: number
  onRun: (entry: Entry, keys: Pick<MouseEvent, 'ctrlKey' | 'metaKey'>) => void
}

function Found({ id, groups, current, onRun }: FoundProps) {
  const shown = groups.filter(({ entries }) => entries.length > 0)
  let first = 0
  return (
    <div id={id} className={styles.list} role="listbox" aria-label={t('palette.title')} tabIndex={-1}>
      {shown.map(({ label, entries }) => {
        const start = first
        first += entries.length
        return (
          // A listbox has groups, not field sets.
          <div key={label} role="group" aria-label={label}>
            <p className={styles.heading} aria-hidden="true">
              {label}
            </p>
            {entries.map((entry, index) => (
              <Option
                key={entry.id}
                id={`${id}-${start + index}`}
                entry={entry}
                selected={start + index === current}
                onRun={onRun}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}

interface OptionProps {
  id: string
  entry: Entry
  selected: boolean
  onRun: FoundProps['onRun']
}

function Option({ id, entry, selected, onRun }: OptionProps) {
  return (
    <div
      id={id}
      ref={element => {
        if (selected) element?.scrollIntoView({ block: 'nearest' })
      }}
      className={styles.option}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      onClick={event => onRun(entry, event)}
      onKeyDown={event => event.key === 'Enter' && onRun(entry, event)}
    >
      {entry.icon}
      <span className={styles.label}>
        {entry.label}
        {entry.note !== undefined && <bdi className={styles.note}>{entry.note}</bdi>}
      </span>
      {entry.checked && <Check size={16} aria-hidden />}
      {entry.keys && <kbd className={styles.keys}>{showKeys(entry.keys)}</kbd>}
    </div>
  )
}
