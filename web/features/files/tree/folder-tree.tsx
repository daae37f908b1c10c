import { useQueries } from '@tanstack/react-query'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../../shared/path.ts'
import { t, useLocale } from '../../../lib/i18n/index.ts'
import { useCoarsePointer } from '../../../lib/media.ts'
import { queryClient } from '../../../lib/query.ts'
import { filesUrl, Link } from '../../../lib/router.tsx'
import { Glyph } from '../../../ui/glyph.tsx'
import { findTyped, isCharacter, NOTHING_TYPED, typeCharacter } from '../../../ui/grid/type-ahead.ts'
import { ChevronRight } from '../../../ui/icons.ts'
import type { LinkFolders } from '../api/link-folders.ts'
import { folderQuery, isPartly, knownFolder } from '../api/list.ts'
import styles from './folder-tree.module.css'
import { type Branch, foldersAmong, foldersIn, reactToTreeKey, type TreeNode, visibleNodes } from './tree-nodes.ts'

const ROW = 36
const TOUCH_ROW = 48
const INITIAL_HEIGHT = 288
/** CSS pixels before the first level, and for each further one. */
const EDGE = 4
const INDENT = 20

/** Folders that are not the user's own. */
export interface FolderSource extends Pick<LinkFolders, 'list'> {
  /** The name of the top folder. */
  top: string
  /** Where the cache has them. */
  key: readonly string[]
}

export interface FolderTreeProps {
  label: string
  className?: string | undefined
  /** The folder in the tab order; in a choice, it is the chosen one. */
  value: FilePath
  onChange: (path: FilePath) => void
  /** Expanded folders. */
  opened: ReadonlySet<FilePath>
  onOpened: (opened: ReadonlySet<FilePath>) => void
  /** Enter. */
  onConfirm?: () => void
  /** The row in the tab order. */
  currentLine?: RefObject<HTMLDivElement | null>
  /**
   * For navigation: the rows are links to their folders and take drops, `current` is the folder on the screen, and the
   * top folder has no row.
   */
  current?: FilePath
  /** The element that scrolls; the tree itself by default. */
  scroller?: () => HTMLElement | null
  /** The user's own files by default. */
  source?: FolderSource
}

/**
 * The folder tree, loaded on expansion. Only the visible rows are in the document. Nothing without a row.
 */
export function FolderTree(props: FolderTreeProps) {
  const { label, className, value, onChange, opened, onOpened, onConfirm, currentLine, current, scroller, source } =
    props
  const tree = useRef<HTMLDivElement>(null)
  const top = source?.top ?? t('files.home')
  const nodes = visibleNodes(useBranches(opened, source), current === undefined ? top : undefined)
  const at = Math.max(
    0,
    nodes.findIndex(node => node.path === value),
  )
  const { rows, margin } = useLines(nodes.length, at, tree, scroller)
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
    const twist = onTwist(event.target)
    if (twist || event.detail === 2) toggle(node.path, node.state === 'closed')
    // A drawer closes when its links are clicked.
    if (twist) event.stopPropagation()
    onChange(node.path)
  }
  if (nodes.length === 0) return null
  return (
    <div
      ref={tree}
      className={className === undefined ? styles.tree : `${styles.tree} ${className}`}
      role="tree"
      aria-label={label}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div role="presentation" className={styles.lines} style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, size }) => {
          const node = nodes[index]
          if (!node) return null
          return (
            <Line
              key={node.path}
              node={node}
              index={index}
              line={currentLine}
              isFocusable={index === at}
              current={current}
              place={{ transform: `translateY(${start - margin}px)`, blockSize: size }}
            />
          )
        })}
      </div>
    </div>
  )
}

function useBranches(opened: ReadonlySet<FilePath>, source: FolderSource | undefined): Map<FilePath, Branch> {
  const paths = [...opened].filter(path => source || !isGone(path))
  const own = source ? [] : paths.map(path => ({ ...folderQuery(path), select: foldersIn }))
  const others = source ? paths.map(path => listQuery(source, path)) : []
  const [mine, theirs] = [useQueries({ queries: own }, queryClient), useQueries({ queries: others }, queryClient)]
  const results = source ? theirs : mine
  return new Map(
    paths.map((path, index) => {
      const result = results[index]
      return [path, { folders: result?.data, failed: result?.isError ?? false }]
    }),
  )
}

const listQuery = ({ key, list }: FolderSource, path: FilePath) => ({
  queryKey: [...key, path],
  queryFn: async () => foldersAmong(await list(path)),
})

/** Whether the folder above, as loaded, has it no more. */
function isGone(path: FilePath): boolean {
  const above = path === ROOT ? undefined : knownFolder(parentOf(path))
  return above !== undefined && !isPartly(above) && !above.items.some(({ name }) => name === nameOf(path))
}

/** Follows the row in the tab order: scrolls it into view, and focuses it when the tree has the focus. */
function useLines(
  count: number,
  at: number,
  tree: RefObject<HTMLDivElement | null>,
  scroller = () => tree.current as HTMLElement | null,
) {
  const height = useCoarsePointer() ? TOUCH_ROW : ROW
  const margin = useMargin(tree, scroller)
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), at])].filter(index => index < range.count),
    [at],
  )
  const rows = useVirtualizer<HTMLElement, Element>({
    count,
    getScrollElement: scroller,
    scrollMargin: margin,
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
  return { rows, margin }
}

/** CSS pixels from the start of what scrolls to the tree. */
function useMargin(tree: RefObject<HTMLDivElement | null>, scroller: () => HTMLElement | null): number {
  const [margin, setMargin] = useState(0)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- after every rendering: what is above the tree may have grown
  useLayoutEffect(() => {
    const [box, above] = [tree.current, scroller()]
    if (!box || !above || box === above) return
    const offset = box.getBoundingClientRect().top - above.getBoundingClientRect().top
    setMargin(Math.round(offset + above.scrollTop))
  })
  return margin
}

interface TreeKeys {
  nodes: readonly TreeNode[]
  at: number
  go: (path: FilePath) => void
  toggle: (path: FilePath, open: boolean) => void
  onConfirm: (() => void) | undefined
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
    if (event.key === 'Enter' && !onConfirm) return
    const reaction = reactToTreeKey(event.key, nodes, at, forward)
    if (event.key === 'Enter') onConfirm?.()
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
  /** Set on the row in the tab order. */
  line: RefObject<HTMLDivElement | null> | undefined
  isFocusable: boolean
  current: FilePath | undefined
  place: { transform: string; blockSize: number }
}

/** One folder. The tree handles keys and clicks. */
function Line({ node, index, line, isFocusable, current, place }: LineProps) {
  const { path, name, level, position, siblings, state } = node
  const tabIndex = isFocusable ? 0 : -1
  const shared = {
    className: styles.line,
    'aria-level': level,
    'aria-posinset': position,
    'aria-setsize': siblings,
    'aria-expanded': state === 'leaf' ? undefined : state !== 'closed',
    'aria-busy': state === 'loading' || undefined,
    'data-index': index,
    style: { ...place, paddingInlineStart: EDGE + (level - 1) * INDENT },
  }
  const content = (
    <>
      <span className={styles.twist} data-twist="" data-state={state}>
        <ChevronRight size={16} aria-hidden />
      </span>
      <Glyph kind="folder" />
      <bdi className={styles.lineName}>{shownName(name)}</bdi>
      {state === 'failed' && <span className={styles.lineNote}>{t('picker.closed')}</span>}
    </>
  )
  if (current === undefined)
    return (
      <div
        {...shared}
        role="treeitem"
        tabIndex={tabIndex}
        ref={isFocusable ? line : undefined}
        aria-selected={isFocusable}
      >
        {content}
      </div>
    )
  return (
    <Link
      {...shared}
      role="treeitem"
      tabIndex={tabIndex}
      to={filesUrl(path, true)}
      draggable={false}
      data-drop={path}
      aria-current={path === current ? 'page' : undefined}
      onClick={keepAtTwist}
    >
      {content}
    </Link>
  )
}

/** The expander of a row is no part of its link. */
function keepAtTwist(event: MouseEvent): void {
  if (onTwist(event.target)) event.preventDefault()
}

function onTwist(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-twist]') !== null
}
