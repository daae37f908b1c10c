import { type FilePath, segmentsOf } from '../../../shared/path.ts'
import { createStore } from '../../lib/store.ts'
import { undoneStore } from '../files/changes/undone.ts'
import { commonFolder } from '../files/items/common-folder.ts'

/** What a run has uploaded. */
export interface Summary {
  /** The folder that contains all of it. */
  folder: FilePath
  /** What arrived there, at the top. */
  names: readonly string[]
  /** Number of files; of folders, where there was no file. */
  count: number
  isFiles: boolean
  skipped: number
  /** The ids of the changes that it was recorded as; none where it cannot be undone. */
  changes: readonly string[]
}

/** The last run's, until it is dismissed or undone, or another run begins. */
export const summaryStore = createStore<Summary | null>(null)

undoneStore.subscribe(() => {
  const undone = undoneStore.get()
  if (undone !== undefined && summaryStore.get()?.changes.includes(undone)) summaryStore.set(null)
})

let arrived: { path: FilePath; isFile: boolean }[] = []

export function beginSummary(): void {
  arrived = []
  summaryStore.set(null)
}

export const dismissSummary = (): void => summaryStore.set(null)

export function noteArrival(path: FilePath, isFile: boolean): void {
  arrived.push({ path, isFile })
}

/** Shows the summary of a run without failures. @returns false where nothing was uploaded */
export function endSummary(skipped: number, changes: readonly string[]): boolean {
  if (arrived.length === 0) return false
  const folder = commonFolder(arrived)
  const depth = segmentsOf(folder).length
  const names = [...new Set(arrived.flatMap(({ path }) => segmentsOf(path)[depth] ?? []))]
  const files = arrived.filter(({ isFile }) => isFile).length
  summaryStore.set({ folder, names, count: files || arrived.length, isFiles: files > 0, skipped, changes })
  arrived = []
  return true
}
