import type { ResourceType } from '../../../shared/api/resources.ts'
import { MAX_PALE_ROWS } from '../../../shared/limits.ts'
import { type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import { locationStore } from '../../lib/history.ts'
import { formatFacts, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { queryClient } from '../../lib/query.ts'
import { currentRoute, folderOf } from '../../lib/router.tsx'
import { createStore, useStore } from '../../lib/store.ts'
import { removeRange } from '../../ui/grid/range-set.ts'
import type { ListedItem } from '../files/api/edit-listing.ts'
import { knownFolder } from '../files/api/list.ts'
import { arrivingStore } from '../files/items/arriving.ts'
import { addRows } from '../files/listing/add-rows.ts'
import { paleRow } from '../files/listing/pale-cells.tsx'
import { emptyItem } from '../files/operations/create.ts'
import { targetOf, type UploadJob } from './job.ts'
import styles from './pale-rows.module.css'
import type { UploadQueue } from './queue.ts'

type Coming = Pick<UploadJob, 'file' | 'size' | 'sent' | 'state'> & { path: FilePath }

/** What the rows show, by path. */
const comingStore = createStore<ReadonlyMap<string, Coming>>(new Map())
/** Sent in this run into a folder on the screen, but perhaps not listed yet. */
const arrived = new Map<FilePath, Coming>()
/** One row object per path, so that a row keeps its element. */
const rowsByPath = new Map<FilePath, ListedItem>()
let shown = ''

/**
 * Shows what the queue sends into the folder on the screen as pale rows in its listing, at most `MAX_PALE_ROWS`. An item
 * that has been sent stays one until the listing has it.
 * @returns the function that gives up those that the listing does not show, at the end of a run
 */
export function showPaleRows(queue: UploadQueue): () => void {
  const update = () => show(queue.get().jobs)
  queue.onArrival((path, job) => {
    if (parentOf(path) === folderOnScreen()) arrived.set(path, { ...job, path, sent: job.size, state: 'active' })
  })
  queue.subscribe(update)
  locationStore.subscribe(update)
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'success' && forgetListed()) update()
  })
  return () => {
    arrived.clear()
    if (queue.get().jobs.length === 0) rowsByPath.clear()
    update()
  }
}

/** A listed item that is deleted again must not come back as a pale row. @returns whether there was one */
function forgetListed(): boolean {
  const folder = folderOnScreen()
  if (arrived.size === 0 || folder === undefined) return false
  const names = new Set(knownFolder(folder)?.items.map(({ name }) => name))
  const found = [...arrived.keys()].filter(path => parentOf(path) === folder && names.has(nameOf(path)))
  for (const path of found) arrived.delete(path)
  return found.length > 0
}

function show(jobs: readonly UploadJob[]): void {
  const folder = folderOnScreen()
  const coming = folder === undefined ? [] : comingInto(folder, jobs)
  comingStore.set(new Map(coming.map(item => [item.path, item])))
  const now = [folder, ...coming.map(({ path }) => path)].join('\n')
  if (now === shown) return
  shown = now
  if (folder === undefined || coming.length === 0) arrivingStore.set(null)
  else arrivingStore.set({ folder, addRows: adderOf(coming.map(rowOf)), withoutRows })
}

/** Files and folders under way; those with a conflict or a failure are for the user to decide. */
function comingInto(folder: FilePath, jobs: readonly UploadJob[]): Coming[] {
  const found = [...arrived.values()].filter(({ path }) => parentOf(path) === folder)
  for (const job of jobs) {
    if (found.length >= MAX_PALE_ROWS) break
    if (job.state === 'failed' || job.state === 'conflict' || parentOf(job.path) !== folder) continue
    found.push({ ...job, path: targetOf(job) })
  }
  return found.slice(0, MAX_PALE_ROWS)
}

function folderOnScreen(): FilePath | undefined {
  const route = currentRoute()
  return route.name === 'files' ? folderOf(route) : undefined
}

function rowOf({ path, file, size }: Coming): ListedItem {
  const known = rowsByPath.get(path)
  if (known) return known
  const item = { ...emptyItem(path, nameOf(path), file === undefined), size, type: typeOf(file?.type ?? '') }
  const row = paleRow(item, () => <Share path={path} />)
  rowsByPath.set(path, row)
  return row
}

/** By media type; other files get their glyph by their extension. */
function typeOf(media: string): ResourceType {
  if (media === 'application/pdf') return 'pdf'
  return (['image', 'video', 'audio', 'text'] as const).find(type => media.startsWith(`${type}/`)) ?? 'blob'
}

const adderOf =
  (pale: readonly ListedItem[]) => (rows: readonly ListedItem[], sorting: Parameters<typeof addRows>[2]) => {
    const names = new Set(pale.map(({ name }) => name))
    for (const { name } of rows) names.delete(name)
    const missing = pale.filter(({ name }) => names.has(name))
    return missing.length === 0 ? rows : addRows(rows, missing, sorting)
  }

const withoutRows: NonNullable<ReturnType<typeof arrivingStore.get>>['withoutRows'] = (state, rows) => {
  const selected = rows.reduce(
    (set, row, index) => (row.cells ? removeRange(set, index, index + 1) : set),
    state.selected,
  )
  return { ...state, selected }
}

/** How much of an item has been sent, as a ring. */
function Share({ path }: { path: FilePath }) {
  const coming = useStore(comingStore).get(path)
  const share = coming && coming.size > 0 ? coming.sent / coming.size : 0
  const state = t(coming?.state === 'paused' ? 'uploads.state.paused' : 'uploads.state.active')
  const percent = share > 0 && formatPercent(share)
  return (
    <span className={styles.share} data-arriving="">
      <span
        className={styles.ring}
        role="img"
        aria-label={percent ? formatFacts([state, percent]) : state}
        style={{ '--share': `${share * 100}%` } as object}
      />
      {percent && <span aria-hidden="true">{percent}</span>}
    </span>
  )
}
