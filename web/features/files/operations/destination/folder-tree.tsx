import { useQueries } from '@tanstack/react-query'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useRef } from 'react'
import { shownName } from '../../../../../shared/bytes.ts'
import type { FilePath } from '../../../../../shared/path.ts'
import { t, useLocale } from '../../../../lib/i18n/index.ts'
import { useCoarsePointer } from '../../../../lib/media.ts'
import { queryClient } from '../../../../lib/query.ts'
import { Glyph } from '../../../../ui/glyph.tsx'
import { findTyped, isCharacter, NOTHING_TYPED, typeCharacter } from '../../../../ui/grid/type-ahead.ts'
import { ChevronRight } from '../../../../ui/icons.ts'
import { folderQuery } from '../../api/list.ts'
import styles from './destination.module.css'
import { type Branch, foldersIn, reactToTreeKey, type TreeNode, visibleNodes } from './tree-nodes.ts'

const ROW = 36
const TOUCH_ROW = 48
const INITIAL_HEIGHT = 288
/** CSS pixels before the first level, and for each further one. */
const EDGE = 4
const INDENT = 20

export interface FolderTreeProps {
  label: string
  /** The selected folder; it has the focus when the tree has it. */
  value: FilePath
  onChange: (path: FilePath) => void
  /** Expanded folders. */
  opened: ReadonlySet<FilePath>
  onOpened: (opened: ReadonlySet<FilePath>) => void
  /** Enter. */
  onConfirm: () => void
  /** The row in the tab order. */
  currentLine: RefObject<HTMLDivElement | null>
}

/** The folder tree, loaded on expansion. Only the visible rows are in the document. */
export function FolderTree({ label, value, onChange, opened, onOpened, onConfirm, currentLine }: FolderTreeProps) {
  const tree = useRef<HTMLDivElement>(null)
  const nodes = visibleNodes(useBranches(opened), t('files.home'))
  const at = Math.max(
    0,
    nodes.findIndex(node => node.path === value),
  )
  const rows = useLines(nodes.length, at, tree)
  const toggle = (path: FilePath, open: boolean) => {
    const next = new Set(opened)
    if (open) next.add(path)
    else next.delete(path)
    onOpened(next)
  }
  const onKeyDown = useTreeKeys({ nodes, at, go: onChange, toggle, onConfirm })
  const onClick = (event: MouseEvent) => {
    const node = nodes[indexOf(event.target)]
    if (!node) return
    const twist = event.target instanceof Element && event.target.closest('[data-twist]')
    if (twist || event.detail === 2) toggle(node.path, node.state === 'closed')
    onChange(node.path)
  }
  return (
    <div ref={tree} className={styles.tree} role="tree" aria-label={label} onKeyDown={onKeyDown} onClick={onClick}>
      <div role="presentation" className={styles.lines} style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, size }) => {
          const node = nodes[index]
          if (!node) return null
          return (
            <Line
              key={node.path}
              node={node}
              index={index}
              line={index === at ? currentLine : undefined}
              top={start}
              height={size}
            />
          )
        })}
      </div>
    </div>
  )
}

function useBranches(opened: ReadonlySet<FilePath>): Map<FilePath, Branch> {
  const paths = [...opened]
  const results = useQueries({ queries: paths.map(path => ({ ...folderQuery(path), select: foldersIn })) }, queryClient)
  return new Map(
    paths.map((path, index) => {
      const result = results[index]
      return [path, { folders: result?.data, failed: result?.isError ?? false }]
    }),
  )
}

/** Follows the selected row: scrolls it into view, and focuses it when the tree has the focus. */
function useLines(count: number, at: number, tree: RefObject<HTMLDivElement | null>) {
  const height = useCoarsePointer() ? TOUCH_ROW : ROW
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), at])].filter(index => index < range.count),
    [at],
  )
  const rows = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => tree.current,
    estimateSize: () => height,
    overscan: 6,
    // Until the element is measured: the selected row is in the very first rendering, ready to take the focus.
    initialRect: { width: 0, height: INITIAL_HEIGHT },
    rangeExtractor,
  })
  useEffect(() => {
    rows.scrollToIndex(at, { align: 'auto' })
    const box = tree.current
    if (box?.contains(document.activeElement)) box.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [rows, at, tree])
  return rows
}

interface TreeKeys {
  nodes: readonly TreeNode[]
  at: number
  go: (path: FilePath) => void
  toggle: (path: FilePath, open: boolean) => void
  onConfirm: () => void
}

function useTreeKeys({ nodes, at, go, toggle, onConfirm }: TreeKeys) {
  const typed = useRef(NOTHING_TYPED)
  const forward = useLocale().dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const goAt = (index: number) => {
    const node = nodes[index]
    if (node) go(node.path)
  }
  const typeAhead = (key: string, now: number): boolean => {
    const next = isCharacter(key) ? typeCharacter(typed.current, key, now) : undefined
    if (!next) return false
    typed.current = next
    const found = findTyped(next.text, at, nodes.length, index => nodes[index]?.name ?? '')
    if (found !== undefined) goAt(found)
    return true
  }
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
    const reaction = reactToTreeKey(event.key, nodes, at, forward)
    if (event.key === 'Enter') onConfirm()
    else if (reaction && 'go' in reaction) goAt(reaction.go)
    else if (reaction && 'open' in reaction) toggle(reaction.open, true)
    else if (reaction) toggle(reaction.close, false)
    else if (!typeAhead(event.key, event.timeStamp)) return
    event.preventDefault()
  }
}

/** Index of the row an event happened on; -1 outside the rows. */
function indexOf(target: EventTarget): number {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return Number(line?.dataset.index ?? -1)
}

interface LineProps {
  node: TreeNode
  index: number
  /** Set on the selected row. */
  line: RefObject<HTMLDivElement | null> | undefined
  /** CSS pixels. */
  top: number
  height: number
}

/** One folder. The tree handles keys and clicks. */
function Line({ node, index, line, top, height }: LineProps) {
  const { name, level, position, siblings, state } = node
  const place = { transform: `translateY(${top}px)`, blockSize: height }
  return (
    <div
      ref={line}
      role="treeitem"
      className={styles.line}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={line !== undefined}
      aria-expanded={state === 'leaf' ? undefined : state !== 'closed'}
      aria-busy={state === 'loading' || undefined}
      tabIndex={line ? 0 : -1}
      data-index={index}
      style={{ ...place, paddingInlineStart: EDGE + (level - 1) * INDENT }}
    >
      <span className={styles.twist} data-twist="" data-state={state}>
        <ChevronRight size={16} aria-hidden />
      </span>
      <Glyph kind="folder" />
      <bdi className={styles.lineName}>{shownName(name)}</bdi>
      {state === 'failed' && <span className={styles.lineNote}>{t('picker.closed')}</span>}
    </div>
  )
}
