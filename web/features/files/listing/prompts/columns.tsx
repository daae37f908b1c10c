import { announce } from '../../../../lib/announce.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { ArrowDown, ArrowUp } from '../../../../ui/icons.ts'
import { columnName } from '../cells.tsx'
import {
  type Columns,
  DEFAULT_COLUMNS,
  EXTRA_COLUMNS,
  type ExtraColumn,
  HIGHEST_WIDTH,
  LOWEST_WIDTH,
  setColumns,
  useColumns,
  withWidth,
} from '../columns.ts'
import styles from './columns.module.css'

const WIDTH_STEP = 8
/** Where the slider of a column stands that has its default width, in CSS pixels. */
const USUAL_WIDTH = 160

/** Chooses the columns of lists, their order and width; applies at once. */
export default function ColumnsPrompt() {
  const columns = useColumns()
  const hidden = EXTRA_COLUMNS.filter(column => !columns.shown.includes(column))
  return (
    <Dialog
      title={t('columns.title')}
      description={t('columns.text')}
      onClose={closePrompt}
      aside={<Button onClick={() => setColumns(DEFAULT_COLUMNS)}>{t('columns.reset')}</Button>}
      footer={<Button onClick={closePrompt}>{t('common.close')}</Button>}
    >
      <ul className={styles.list}>
        {[...columns.shown, ...hidden].map(column => (
          <ColumnRow key={column} column={column} columns={columns} />
        ))}
      </ul>
    </Dialog>
  )
}

function ColumnRow({ column, columns }: { column: ExtraColumn; columns: Columns }) {
  const name = columnName(column)
  const { shown } = columns
  const at = shown.indexOf(column)
  const others = shown.filter(other => other !== column)
  const move = (to: number) => {
    setColumns({ ...columns, shown: others.toSpliced(to, 0, column) })
    announce(t('columns.moved', { position: to + 1, count: shown.length }))
  }
  return (
    <li className={styles.row}>
      <Checkbox
        label={name}
        checked={at >= 0}
        onChange={isOn => setColumns({ ...columns, shown: isOn ? [...others, column] : others })}
      />
      <input
        type="range"
        className={styles.width}
        aria-label={t('columns.width', { name })}
        min={LOWEST_WIDTH}
        max={HIGHEST_WIDTH}
        step={WIDTH_STEP}
        disabled={at < 0}
        value={columns.widths[column] ?? USUAL_WIDTH}
        onChange={event => setColumns(withWidth(columns, column, event.target.valueAsNumber))}
      />
      <IconButton label={t('columns.earlier', { name })} aria-disabled={at < 1} onClick={() => at >= 1 && move(at - 1)}>
        <ArrowUp size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={t('columns.later', { name })}
        aria-disabled={at < 0 || at === shown.length - 1}
        onClick={() => at >= 0 && at < shown.length - 1 && move(at + 1)}
      >
        <ArrowDown size={16} aria-hidden />
      </IconButton>
    </li>
  )
}
