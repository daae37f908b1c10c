import { formatBytes, formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { ChevronDown } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { ENCODINGS, type Encoding, type LineEnd, type TextFormat } from '../files/items/text-encoding.ts'
import { languageOf } from './code/language.ts'
import styles from './editor.module.css'

/** Caret position, both from 1. */
export interface Place {
  line: number
  column: number
}

export const START: Place = { line: 1, column: 1 }

/** The line endings a text can be converted to; mixed ones can only be kept. */
const LINE_ENDS: readonly LineEnd[] = ['LF', 'CRLF', 'CR']

interface StatusLineProps {
  /** `undefined` without a caret. */
  place: Place | undefined
  /** Shown instead of it. */
  hint: string | undefined
  format: TextFormat
  /** Where it can be changed. */
  onFormat: ((format: TextFormat) => void) | undefined
  /** Name of the file. */
  name: string
  /** Bytes, as saved. */
  size: number
}

/** Status line: caret position, and the format of the text. */
export function StatusLine({ place, hint, format, onFormat, name, size }: StatusLineProps) {
  const { encoding, lineEnd } = format
  const language = languageOf(name)
  return (
    <div className={styles.status}>
      <span>
        <span role="status">{hint}</span>
        {!hint && place && t('editor.place', { line: formatNumber(place.line), column: formatNumber(place.column) })}
      </span>
      <span className={styles.facts}>
        {language && <span>{language.name}</span>}
        <Choice
          label={t('editor.encoding')}
          value={encoding}
          values={ENCODINGS}
          onChoose={onFormat && ((chosen: Encoding) => onFormat({ ...format, encoding: chosen }))}
        />
        {/* Mixed endings are preserved one by one, so there is nothing to change. */}
        <Choice
          label={t('editor.lineEnds')}
          value={lineEnd}
          text={lineEnd === 'mixed' ? t('editor.mixedLineEnds') : lineEnd}
          values={LINE_ENDS}
          onChoose={
            lineEnd === 'mixed'
              ? undefined
              : onFormat && ((chosen: LineEnd) => onFormat({ ...format, lineEnd: chosen }))
          }
        />
        <span>{formatBytes(size)}</span>
      </span>
    </div>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  /** Label of the value, if it differs from the value. */
  text?: string
  values: readonly T[]
  onChoose: ((value: T) => void) | undefined
}

function Choice<T extends string>({ label, value, text = value, values, onChoose }: ChoiceProps<T>) {
  if (!onChoose) return <span>{text}</span>
  const entries = values.map(one => ({ id: one, label: one, checked: one === value, run: () => onChoose(one) }))
  return (
    <MenuButton className={styles.choice} label={`${label}: ${text}`} text={text} entries={entries}>
      <ChevronDown size={14} aria-hidden />
    </MenuButton>
  )
}
