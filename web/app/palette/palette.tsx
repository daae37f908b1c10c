import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { type Action, allActions, canRun, currentContext, runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { showKeys } from '../../lib/keyboard.ts'
import { closePrompt } from '../../lib/prompts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/icons.ts'
import { VIEWER_ACTIONS } from '../viewer-actions.ts'
import { fuzzyScore } from './fuzzy.ts'
import styles from './palette.module.css'

interface Command {
  action: Action
  label: string
  checked: boolean
}

const GROUPS = { view: 'views.view', sort: 'files.sort' } as const

/** An action's label outside its menu. */
function labelOf({ group, labelKey }: Action): string {
  const label = t(labelKey)
  return group === 'view' || group === 'sort' ? t('palette.choice', { group: t(GROUPS[group]), label }) : label
}

/** Every enabled action, as of the opening of the palette. */
function commandsNow(): Command[] {
  const context = currentContext()
  return [...allActions(), ...VIEWER_ACTIONS]
    .filter(action => action.id !== 'palette' && canRun(action, context))
    .map(action => ({ action, label: labelOf(action), checked: action.checked?.(context) ?? false }))
}

/** Finds an action by a few of its letters (combobox pattern of the ARIA Authoring Practices). */
export default function PalettePrompt() {
  const [commands] = useState(commandsNow)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const found = useMemo(() => matching(commands, typed), [commands, typed])
  const current = Math.min(at, found.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    closePrompt()
    runAction(command.action)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((current + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(found[current])
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
      <Found id={listId} commands={found} current={current} onRun={run} />
      <p className={styles.none} role="status">
        {found.length === 0 && t('palette.none')}
      </p>
    </Dialog>
  )
}

function matching(commands: readonly Command[], typed: string): Command[] {
  return commands
    .map(command => ({ command, score: fuzzyScore(typed, command.label) }))
    .filter(({ score }) => score !== undefined)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ command }) => command)
}

interface FoundProps {
  id: string
  commands: readonly Command[]
  current: number
  onRun: (command: Command) => void
}

function Found({ id, commands, current, onRun }: FoundProps) {
  return (
    <div id={id} className={styles.list} role="listbox" aria-label={t('palette.title')} tabIndex={-1}>
      {commands.map((command, index) => (
        <div
          key={command.action.id}
          id={`${id}-${index}`}
          ref={element => {
            if (index === current) element?.scrollIntoView({ block: 'nearest' })
          }}
          className={styles.option}
          role="option"
          aria-selected={index === current}
          tabIndex={-1}
          onClick={() => onRun(command)}
          onKeyDown={event => event.key === 'Enter' && onRun(command)}
        >
          <command.action.icon size={18} aria-hidden />
          <span className={styles.label}>{command.label}</span>
          {command.checked && <Check size={16} aria-hidden />}
          {command.action.shortcut && <kbd className={styles.keys}>{showKeys(command.action.shortcut)}</kbd>}
        </div>
      ))}
    </div>
  )
}
