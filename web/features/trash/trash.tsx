import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { KeptItem } from '../../../shared/api/trash.ts'
import { type FilePath, nameOf, ROOT } from '../../../shared/path.ts'
import { pageConfig } from '../../lib/config.ts'
import { formatBytes, formatDays } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { useCoarsePointer, useWindowClass } from '../../lib/media.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-list.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { allOf, EMPTY, pick, sizeOf } from '../../ui/grid/range-set.ts'
import { clear, INITIAL, includeRow } from '../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../ui/grid/virtual-grid.tsx'
import { Trash2 } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFocusAfterPrompt } from '../files/listing/folder-hooks.ts'
import { useGridState } from '../files/listing/use-grid-state.ts'
import { keptUrl, type TrashOptions } from './api/trash.ts'
import { COLUMNS, KeptCells, KeptHeader } from './cells.tsx'
import { restoreItems } from './restore.ts'
import { PhoneBar, TrashBar, type TrashCommands } from './selection-bar.tsx'
import styles from './trash.module.css'
import { type TrashList, useTrash } from './use-trash.ts'

const ROW = 40
const TOUCH_ROW = 60
const HEADER = 36
const TOUCH_HEADER = 48
/** CSS pixels from the last row at which more are loaded. */
const NEAR = 2000
const DAY = 86_400_000

const idOf = (item: KeptItem) => item.id

/** The trash. @param from the folder that the visitor came from, offered as a filter */
export function TrashPage({ from }: { from: FilePath }) {
  const [options, setOptions] = useState<TrashOptions>({ mine: false, folder: ROOT, name: '' })
  const list = useTrash(useDeferredValue(options))
  const field = useRef<HTMLInputElement>(null)
  const [strip, setStrip] = useState<HTMLElement | null>(null)
  const online = useOnline()
  useShortcuts('listing', [{ keys: '/', run: () => field.current?.focus() }])
  if (!pageConfig.Trash) return <EmptyList text={t('trash.off')} />
  return (
    <PageFrame
      title={t('nav.trash')}
      summary={<Summary list={list} />}
      tools={<EmptyButton disabled={!online || !list.sum?.count} />}
    >
      <div ref={setStrip} className={styles.strip}>
        <div className={styles.tools}>
          <Chips options={options} from={from} onChange={setOptions} />
          <input
            ref={field}
            className={styles.filter}
            type="search"
            aria-label={t('trash.filter')}
            placeholder={t('trash.filter')}
            value={options.name}
            onChange={({ target }) => setOptions({ ...options, name: target.value })}
          />
        </div>
      </div>
      <Content list={list} options={options} strip={strip} />
    </PageFrame>
  )
}

/** How much there is, and how long it stays. */
function Summary({ list: { sum, items } }: { list: TrashList }) {
  if (!sum) return null
  const [first] = items
  const days = first?.until ? Math.round((Date.parse(first.until) - Date.parse(first.deleted)) / DAY) : 0
  return (
    <p className={styles.summary}>
      <span role="status">
        {t('files.count', { count: sum.count })}
        {sum.bytes > 0 && ` · ${formatBytes(sum.bytes)}`}
      </span>
      {first && <span>{days > 0 ? t('trash.days', { time: formatDays(days) }) : t('trash.noLimit')}</span>}
    </p>
  )
}

function EmptyButton({ disabled }: { disabled: boolean }) {
  const { user } = useSession()
  if (!user?.perm.delete) return null
  return (
    <Button
      icon={<Trash2 size={18} aria-hidden />}
      disabled={disabled}
      onClick={() => openPrompt('emptyTrash', { mine: !user.perm.admin })}
    >
      {t('trash.empty')}
    </Button>
  )
}

interface ChipsProps {
  options: TrashOptions
  from: FilePath
  onChange: (options: TrashOptions) => void
}

function Chips({ options, from, onChange }: ChipsProps) {
  const chip = (label: string, pressed: boolean, run: () => void) => (
    <FilterChip label={label} pressed={pressed} onClick={run} />
  )
  return (
    <div className={styles.chips}>
      {chip(t('trash.all'), !options.mine, () => onChange({ ...options, mine: false }))}
      {chip(t('trash.mine'), options.mine, () => onChange({ ...options, mine: true }))}
      {from !== ROOT &&
        chip(t('trash.here', { name: nameOf(from) }), options.folder !== ROOT, () =>
          onChange({ ...options, folder: options.folder === ROOT ? from : ROOT }),
        )}
    </div>
  )
}

interface ContentProps {
  list: TrashList
  options: TrashOptions
  /** The element that the selection's actions cover. */
  strip: HTMLElement | null
}

function Content({ list, options, strip }: ContentProps) {
  if (list.error) return <LoadFailure error={list.error} onRetry={list.retry} />
  if (!list.sum) return <Spinner label={t('common.loading')} onRetry={list.retry} />
  if (list.items.length > 0) return <Items list={list} strip={strip} />
  if (options.name !== '') return <EmptyList text={t('filter.nothing', { text: options.name })} />
  return (
    <>
      <EmptyList icon={<Trash2 size={40} aria-hidden />} title={t('trash.nothing')} text={t('trash.nothingText')} />
      <Outside />
    </>
  )
}

/** What is looked for here in vain. */
const Outside = () => (
  <p className={styles.outside} data-foot>
    {t('trash.outside')}
  </p>
)

function Items({ list, strip }: Pick<ContentProps, 'list' | 'strip'>) {
  const { items } = list
  const grid = useRef<GridHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [state, setState] = useGridState(items, () => INITIAL, idOf)
  const selection = useMemo(() => pick(state.selected, items), [state.selected, items])
  const commands = useCommands(selection)
  const compact = useWindowClass() === 'narrow'
  const coarse = useCoarsePointer()
  const { user } = useSession()
  const rowHeight = coarse || compact ? TOUCH_ROW : ROW
  useFocusAfterPrompt(grid)
  const end = () => {
    setState(clear(state))
    grid.current?.focus()
  }
  const all = () => {
    setState({ ...state, selected: allOf(items.length) })
    grid.current?.focus()
  }
  useKeys(commands, { end, all, selecting: selection.length > 0 })
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const item = items[index]
      return item && <KeptCells item={item} selected={selected} />
    },
    [items],
  )
  const open = (item: KeptItem | undefined) => {
    if (item) void navigate(keptUrl({ id: item.id, path: ROOT }, item.isDir))
  }
  const onScroll = (offset: number) => {
    const shown = offset + (frame.current?.clientHeight ?? 0)
    if (shown + NEAR > items.length * rowHeight) list.more()
  }
  const chosen = sizeOf(state.selected)
  return (
    <>
      {chosen > 0 && (
        <TrashBar strip={strip} count={chosen} commands={commands} compact={compact} onEnd={end} onAll={all} />
      )}
      <div ref={frame} className={styles.list} data-compact={compact || undefined}>
        <VirtualGrid
          ref={grid}
          label={t('trash.list')}
          count={items.length}
          columns={COLUMNS}
          rowHeight={rowHeight}
          headerHeight={coarse ? TOUCH_HEADER : HEADER}
          initialOffset={0}
          state={state}
          onState={setState}
          singleClick={user?.singleClick ?? false}
          header={
            <KeptHeader
              selected={chosen === 0 ? 'none' : chosen === items.length ? 'all' : 'some'}
              onSelectAll={() => (chosen === items.length ? setState({ ...state, selected: EMPTY }) : all())}
            />
          }
          renderCells={renderCells}
          nameAt={index => items[index]?.name ?? ''}
          onOpen={index => open(items[index])}
          onUp={() => undefined}
          onMenu={({ index }) => index >= 0 && setState(includeRow(state, index))}
          onScroll={onScroll}
        />
      </div>
      {compact && chosen > 0 ? <PhoneBar commands={commands} /> : <Outside />}
    </>
  )
}

/** What the user may do with these items; others' are deleted for good by administrators only. */
function useCommands(selection: readonly KeptItem[]): TrashCommands {
  const { user } = useSession()
  const mayPurge = user?.perm.delete && (user.perm.admin || selection.every(({ mine }) => mine))
  if (selection.length === 0) return {}
  return {
    ...(user?.perm.create && {
      restore: () => void restoreItems(selection),
      restoreTo: () => openPrompt('restoreTo', { items: selection }),
    }),
    ...(mayPurge && { purge: () => openPrompt('purge', { items: selection }) }),
  }
}

interface Keys {
  end: () => void
  all: () => void
  selecting: boolean
}

function useKeys({ restore, purge }: TrashCommands, { end, all, selecting }: Keys): void {
  const run = (command: (() => void) | undefined) => () => (command ? command() : false)
  useShortcuts('listing', [
    { keys: 'Ctrl+Enter', run: run(restore) },
    { keys: 'Delete', run: run(purge) },
    { keys: 'Shift+Delete', run: run(purge) },
    { keys: 'Ctrl+A', run: all },
    { keys: 'Escape', run: () => (selecting ? end() : false) },
  ])
}
