import { type FilePath, segmentsOf } from '../../../shared/path.ts'
import { createStore } from '../../lib/store.ts'
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
}

/** The last run's, until it is dismissed or another run begins. */
export const summaryStore = createStore<Summary | null>(null)

let arrived: { path: FilePath; isFile: boolean }[] = []

export function beginSummary(): void {
  arrived = []
  summaryStore.set(null)
}

export const dismissSummary = (): void => summaryStore.set(null)

export function noteArrival(path: FilePath, isFile: boolean): void {
  arrived.push({ path, isFile })
}

/** Shows the summary of a run without failures, unless nothing was uploaded. */
export function endSummary(skipped: number): void {
  if (arrived.length === 0) return
  const folder = commonFolder(arrived)
  const depth = segmentsOf(folder).length
  const names = [...new Set(arrived.flatMap(({ path }) => segmentsOf(path)[depth] ?? []))]
  const files = arrived.filter(({ isFile }) => isFile).length
  summaryStore.set({ folder, names, count: files || arrived.length, isFiles: files > 0, skipped })
  arrived = []
}
