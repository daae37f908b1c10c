import type { ReactNode } from 'react'
import { createStore } from '../../../lib/store.ts'

/** The marks of tags and locks in the rows of the folder on the screen, by path, as far as loaded. */
export const rowMarksStore = createStore<ReadonlyMap<string, ReactNode>>(new Map())
