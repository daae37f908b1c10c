import type { ReactNode } from 'react'
import { createStore } from '../../../lib/store.ts'

/** The marks of tags in the rows of the folder on the screen, by path, as far as loaded. */
export const tagDotsStore = createStore<ReadonlyMap<string, ReactNode>>(new Map())
