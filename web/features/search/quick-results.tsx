import { useCallback, useMemo, useRef, useState } from 'react'
import { useCoarsePointer } from '../../lib/media.ts'
import { COLUMNS, HitCells } from './hit-cells.tsx'
import styles from './results.module.css'
import { ResultsGrid, type ResultsProps } from './results.tsx'
import { showInFolder } from './use-results-context.ts'

/** Results shown at first, and added at a time. */
const PAGE = 50
/** CSS pixels from the last row at which more are added. */
const NEAR = 400
const ROW = 52
const TOUCH_ROW = 60
/** Additional height of a row with a line of a file. */
const LINE = 20

/** The results below the search field. Mounted once per search. */
export function QuickResults(props: ResultsProps) {
  const { found, onClose } = props
  const { hits, query } = found
  const [shown, setShown] = useState(PAGE)
  const rows = useMemo(() => hits.slice(0, shown), [hits, shown])
  const list = useRef<HTMLDivElement>(null)
  const rowHeight = (useCoarsePointer() ? TOUCH_ROW : ROW) + (found.contents ? LINE : 0)
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const hit = rows[index]
      if (!hit) return null
      return <HitCells hit={hit} query={query} selected={selected} onReveal={() => showInFolder(hit.path, onClose)} />
    },
    [rows, query, onClose],
  )
  const onScroll = (offset: number) => {
    const end = offset + (list.current?.clientHeight ?? 0) + NEAR
    if (end > shown * rowHeight && shown < hits.length) setShown(shown + PAGE)
  }
  return (
    <ResultsGrid
      {...props}
      rows={rows}
      columns={COLUMNS}
      rowHeight={rowHeight}
      className={styles.list}
      style={{ blockSize: rows.length * rowHeight }}
      renderCells={renderCells}
      showAll={() => setShown(hits.length)}
      list={list}
      onScroll={onScroll}
    />
  )
}
