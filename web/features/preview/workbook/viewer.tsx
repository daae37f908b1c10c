import { type KeyboardEvent, useId, useState } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { askWorker } from '../ask-worker.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { Loaded } from '../document/loaded.tsx'
import { UnreadableError } from '../document/unreadable.ts'
import { CutNote } from '../table/cut-note.tsx'
import { TableGrid } from '../table/table-grid.tsx'
import type { Answer, Sheet } from './read-workbook.ts'
import styles from './workbook.module.css'

/** A workbook: its sheets as tabs, and the cells of the current one. */
export default function WorkbookViewer(props: DocumentProps) {
  return (
    <Loaded document={props} kind="workbook" load={loadWorkbook}>
      {sheets => <Workbook sheets={sheets} />}
    </Loaded>
  )
}

function Workbook({ sheets }: { sheets: readonly Sheet[] }) {
  const id = useId()
  const [shown, setShown] = useState(0)
  const sheet = sheets[shown]
  if (!sheet) return null
  return (
    <div className={styles.viewer}>
      <div id={id} className={styles.sheet} role="tabpanel" aria-labelledby={`${id}-${shown}`}>
        <TableGrid key={shown} name={sheet.name} table={sheet.table} />
      </div>
      <div className={styles.foot}>
        <Tabs id={id} sheets={sheets} shown={shown} onShow={setShown} />
        <CutNote table={sheet.table} />
      </div>
    </div>
  )
}

interface TabsProps {
  /** Id of the panel. */
  id: string
  sheets: readonly Sheet[]
  shown: number
  onShow(index: number): void
}

/** The sheet tabs, after the ARIA Authoring Practices' tabs pattern. */
function Tabs({ id, sheets, shown, onShow }: TabsProps) {
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const to = stepTo(event.key, shown, sheets.length, getComputedStyle(event.currentTarget).direction === 'rtl')
    if (to === undefined) return
    event.preventDefault()
    onShow(to)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <div className={styles.tabs} role="tablist" aria-label={t('preview.sheets')} onKeyDown={onKey}>
      {sheets.map(({ name }, index) => (
        <button
          key={name}
          id={`${id}-${index}`}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={index === shown}
          aria-controls={id}
          tabIndex={index === shown ? 0 : -1}
          onClick={() => onShow(index)}
        >
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  )
}

function stepTo(key: string, at: number, count: number, rtl: boolean): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const step = (key === 'ArrowRight') === rtl ? -1 : 1
  return (at + step + count) % count
}

/** The sheets of a workbook, read in a worker. @throws ApiError @throws UnreadableError */
async function loadWorkbook(document: DocumentProps, signal: AbortSignal): Promise<Sheet[]> {
  const bytes = await fetchDocument(document, signal)
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await askWorker<Answer>(worker, bytes, signal, [bytes.buffer])
    if ('reason' in answer) throw new UnreadableError(answer.reason)
    return answer.sheets
  } finally {
    worker.terminate()
  }
}
