import { type SubmitEvent, useRef } from 'react'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button } from '../../../ui/button.tsx'
import { useWidth } from '../../../ui/grid/use-width.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Tools } from '../tools.tsx'
import { useTallScroll } from '../use-tall-scroll.ts'
import styles from './hex.module.css'
import { bytesPerRow, hexText, letters, offsetText, parseOffset } from './rows.ts'
import { useBytes } from './use-bytes.ts'

/** In the tab order, so that the keyboard can scroll it. */
const SCROLLABLE = { tabIndex: 0, 'data-arrows': true }
/** CSS pixels, as in the style sheet. */
const ROW = 22

/** Hex view of a file of any size; only the bytes in view are fetched. */
export default function HexViewer({ resource }: { resource: FileResource }) {
  const { path, name } = resource
  const viewer = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const perRow = bytesPerRow(useWidth(viewer))
  const scroll = useTallScroll(Math.ceil(resource.size / perRow), ROW, 0)
  const from = scroll.top * perRow
  const bytes = useBytes(path, resource.size, from, from + scroll.drawn * perRow)
  const go = (event: SubmitEvent) => {
    event.preventDefault()
    const offset = parseOffset(field.current?.value ?? '')
    if (offset !== undefined) scroll.goTo(offset / perRow)
  }
  const rows = Array.from({ length: scroll.drawn }, (_, index) => from + index * perRow)
  return (
    <div ref={viewer} className={styles.viewer}>
      <Tools resource={resource} as="hex">
        <form className={styles.goTo} onSubmit={go}>
          <label className={styles.field}>
            <span>{t('preview.offset')}</span>
            <input ref={field} type="text" placeholder="0x0" spellCheck={false} autoComplete="off" />
          </label>
          <Button type="submit">{t('preview.goTo')}</Button>
        </form>
      </Tools>
      {bytes.error !== undefined && (
        <div className={styles.failure}>
          <LoadFailure error={bytes.error} onRetry={bytes.retry} />
        </div>
      )}
      <div ref={scroll.scroller} className={styles.scroller} dir="ltr" {...SCROLLABLE}>
        <div style={{ blockSize: scroll.height }}>
          <table className={styles.rows} aria-label={shownName(name)} aria-rowcount={Math.ceil(resource.size / perRow)}>
            <tbody>
              {rows.map(offset => (
                <Row key={offset - from} offset={offset} bytes={bytes} count={perRow} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  offset: number
  bytes: ReturnType<typeof useBytes>
  count: number
}

function Row({ offset, bytes, count }: RowProps) {
  const length = Math.min(count, bytes.size - offset)
  const row = Array.from({ length: Math.max(0, length) }, (_, index) => bytes.at(offset + index))
  return (
    <tr aria-rowindex={offset / count + 1}>
      <th className={styles.offset} scope="row">
        {offsetText(offset, bytes.size)}
      </th>
      <td>{hexText(row)}</td>
      <td className={styles.letters}>{letters(row)}</td>
    </tr>
  )
}
