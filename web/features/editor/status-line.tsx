import { formatBytes, formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import type { LineEnd } from './api/load-text.ts'
import styles from './editor.module.css'

interface StatusLineProps {
  text: string
  /** Position in the text, in UTF-16 code units. */
  caret: number
  /** Bytes, as saved. */
  size: number
  end: LineEnd
}

/** Where the caret is, and what kind of text it is. */
export function StatusLine({ text, caret, size, end }: StatusLineProps) {
  const { line, column } = placeOf(text, caret)
  return (
    <div className={styles.status}>
      <span>{t('editor.place', { line: formatNumber(line), column: formatNumber(column) })}</span>
      <span>{end === 'mixed' ? t('editor.mixedLineEnds') : end}</span>
      <span>{formatBytes(size)}</span>
    </div>
  )
}

/** Line and column, both from 1. */
export function placeOf(text: string, caret: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < caret; at = text.indexOf('\n', start)) {
    line += 1
    start = at + 1
  }
  return { line, column: caret - start + 1 }
}
