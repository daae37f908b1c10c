import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FilePath } from '../../../../../shared/path.ts'
import { pageConfig } from '../../../../lib/config.ts'
import { t, useLocale } from '../../../../lib/i18n/index.ts'
import { Cell } from '../../../../ui/grid/cells.tsx'
import type { ListedItem } from '../../api/edit-listing.ts'
import { stemLength } from '../../items/names.ts'
import type { NameQuestion } from '../../items/naming.ts'
import { create } from '../../operations/create.ts'
import { problemWith } from '../../operations/name-problem.ts'
import { rename } from '../../operations/rename.ts'
import { useViewMode } from '../preferences.ts'
import styles from './name-field.module.css'

interface NameFieldProps {
  rows: readonly ListedItem[]
  /** The row of the field. */
  index: number
  question: NameQuestion
  folder: FilePath
  /** The text at first. */
  initial: string
  ask: (next: NameQuestion) => void
  onEnd: () => void
}

/** Milliseconds in which a closing menu or prompt returns the focus to its trigger. */
const FOCUS_RETURN = 150

/**
 * The field for a name, over that of its row. Enter saves; Tab saves and continues with the next row; Escape cancels; a
 * click elsewhere saves a changed name.
 */
export function NameField({ question, folder, initial, rows, index, ask, onEnd }: NameFieldProps) {
  useLocale()
  const field = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState(initial)
  const [problem, setProblem] = useState(question.problem)
  const view = useViewMode(folder)
  const noteId = useId()
  const mayBeTaken = useFocusOnStem(field)
  const end = useEffectEvent(onEnd)
  useEffect(() => end, [])
  const renames = question.what === 'rename'

  /** Ends with this name, if it is allowed. @returns whether it is */
  const save = (focus: boolean): boolean => {
    const name = value.trim()
    const wrong = problemWith(name, folder, renames ? question.item.name : undefined)
    setProblem(wrong)
    if (wrong) return false
    onEnd()
    const how = { focus, retry: (refused: string) => ask({ ...question, value: name, problem: refused }) }
    if (renames) void rename(question.item, name, how)
    else void create(question.what, folder, name, how)
    return true
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onEnd()
    } else if (event.key === 'Tab') {
      event.preventDefault()
      const next = renames ? rows[index + (event.shiftKey ? -1 : 1)] : undefined
      if (save(next === undefined) && next && !next.cells) ask({ what: 'rename', item: next })
    }
  }
  const onBlur = () => {
    // The window has lost the focus, or the field has ended.
    if (document.activeElement === field.current || !field.current) return
    if (mayBeTaken()) return field.current.focus()
    if (value === initial || problem || !save(false)) onEnd()
  }
  const hint = renames && pageConfig.MovesByCopy ? t('transfer.copiesAll') : undefined
  const note = problem ?? hint
  return (
    <Cell className={styles.cell}>
      <form
        className={styles.form}
        data-view={view}
        data-dir={rows[index]?.isDir || undefined}
        onSubmit={onSubmit}
        onPointerDown={stop}
        onContextMenu={stop}
        noValidate
      >
        <input
          ref={field}
          className={styles.input}
          aria-label={t(LABELS[question.what])}
          aria-invalid={problem ? true : undefined}
          aria-describedby={note ? noteId : undefined}
          value={value}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={event => {
            setValue(event.target.value)
            setProblem(undefined)
          }}
          onKeyDown={onKeyDown}
          onBlur={onBlur}
        />
        {note && (
          <p
            id={noteId}
            className={styles.note}
            role={problem ? 'alert' : undefined}
            data-error={problem ? '' : undefined}
            data-above={isLow(rows.length, index) || undefined}
          >
            {note}
          </p>
        )}
      </form>
    </Cell>
  )
}

const LABELS = { rename: 'naming.newName', folder: 'files.folderName', file: 'naming.fileName' } as const

/** Keeps clicks in the field from the grid, which would draw a rubber band or open its menu. */
const stop = (event: SyntheticEvent) => event.stopPropagation()

/** Whether below the row there may be no room for a sentence. */
const isLow = (count: number, index: number): boolean => count > 2 && index >= count - 2

/**
 * Focuses the field and selects the part before the extension. @returns whether a menu or prompt that has just closed may
 * be what takes the focus
 */
function useFocusOnStem(field: RefObject<HTMLInputElement | null>): () => boolean {
  const until = useRef(0)
  useLayoutEffect(() => {
    until.current = performance.now() + FOCUS_RETURN
    field.current?.focus({ preventScroll: true })
    field.current?.scrollIntoView({ block: 'nearest' })
    field.current?.setSelectionRange(0, stemLength(field.current.value))
    const press = () => {
      until.current = 0
    }
    addEventListener('pointerdown', press, { capture: true })
    return () => removeEventListener('pointerdown', press, { capture: true })
  }, [field])
  return () => performance.now() < until.current
}
