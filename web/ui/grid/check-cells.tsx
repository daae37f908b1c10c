import { t } from '../../lib/i18n/index.ts'
import { Cell, HeaderCell } from './cells.tsx'
import styles from './check-cells.module.css'

interface CheckProps {
  /** Of the row, for screen readers. */
  name: string
  selected: boolean
}

/** The column of check boxes, in the grid area `check`. */
export function CheckCell(props: CheckProps) {
  return (
    <Cell className={styles.check}>
      <CheckBox {...props} className={styles.box} />
    </Cell>
  )
}

/** Shows whether a row is selected; the grid handles clicks on it. */
export function CheckBox({ name, selected, className }: CheckProps & { className: string | undefined }) {
  return (
    <input
      type="checkbox"
      className={className}
      tabIndex={-1}
      checked={selected}
      readOnly
      aria-label={t('files.select', { name })}
    />
  )
}

export interface CheckHeaderProps {
  /** Whether all, some or no rows are selected. */
  selected: 'all' | 'some' | 'none'
  onSelectAll: () => void
}

/** The header of that column, which selects all rows. */
export function CheckHeader({ selected, onSelectAll }: CheckHeaderProps) {
  return (
    <HeaderCell className={styles.check}>
      <input
        type="checkbox"
        className={styles.box}
        ref={box => {
          if (box) box.indeterminate = selected === 'some'
        }}
        checked={selected === 'all'}
        onChange={onSelectAll}
        aria-label={t('actions.selectAll')}
      />
    </HeaderCell>
  )
}
