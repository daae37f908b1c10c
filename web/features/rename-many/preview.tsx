import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import type { PlannedName, RenameProblem } from '../../../shared/rename.ts'
import { t } from '../../lib/i18n/index.ts'
import { CircleAlert } from '../../ui/icons.ts'
import { differenceOf, type Parts } from './difference.ts'
import styles from './rename-many.module.css'

const ROW = 52
const PROBLEM_ROW = 74

/** Each item's name now and then, with what differs marked. */
export function Preview({ names }: { names: readonly PlannedName[] }) {
  const scroller = useRef<HTMLUListElement>(null)
  const rows = useVirtualizer({
    count: names.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => (names[index]?.problem ? PROBLEM_ROW : ROW),
    overscan: 4,
    getItemKey: index => (names[index]?.problem ? -index - 1 : index),
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region needs the focus to be scrolled by keys.
    <ul ref={scroller} className={styles.preview} tabIndex={0} aria-label={t('renameMany.preview')}>
      <li className={styles.space} style={{ blockSize: rows.getTotalSize() }} aria-hidden="true" />
      {rows.getVirtualItems().map(({ index, key, start, size }) => {
        const name = names[index]
        if (!name) return null
        return (
          <li
            key={key}
            className={styles.row}
            style={{ insetBlockStart: start, blockSize: size }}
            aria-posinset={index + 1}
            aria-setsize={names.length}
            data-same={name.from === name.to && !name.problem ? '' : undefined}
          >
            <Names name={name} />
          </li>
        )
      })}
    </ul>
  )
}

function Names({ name: { from, to, problem } }: { name: PlannedName }) {
  const parts = differenceOf(shownName(from), shownName(to))
  return (
    <>
      <bdi className={styles.old}>
        <Marked parts={parts.from} as="del" />
      </bdi>
      <bdi className={styles.new}>
        <Marked parts={parts.to} as="ins" />
      </bdi>
      {problem && (
        <span className={styles.problem}>
          <CircleAlert size={14} aria-hidden />
          {problemText(problem, to)}
        </span>
      )}
    </>
  )
}

function Marked({ parts: [before, changed, after], as: Mark }: { parts: Parts; as: 'ins' | 'del' }) {
  return (
    <>
      {before}
      {changed !== '' && <Mark>{changed}</Mark>}
      {after}
    </>
  )
}

function problemText(problem: RenameProblem, name: string): string {
  switch (problem) {
    case 'empty':
      return t('files.nameEmpty')
    case 'invalid':
      return t('files.nameSlash')
    case 'reserved':
      return t('renameMany.problem.reserved')
    case 'tooLong':
      return t('files.nameLong')
    case 'taken':
      return t('files.nameTaken', { name: shownName(name) })
    case 'duplicate':
      return t('renameMany.problem.duplicate')
    case 'unknown':
      return t('renameMany.problem.unknown')
  }
}
