import type { Action } from '../../lib/actions.ts'

/** What can be done with files and folders. */
export const fileActions: readonly Action[] = []
