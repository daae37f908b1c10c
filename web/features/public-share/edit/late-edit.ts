import { lazyLinks } from '../../../lib/lazy.ts'

/** What only links to edit show, with its texts. */
export const EditTools = lazyLinks(() => import('./tools.tsx'))
export const EditedText = lazyLinks(() => import('./edited-text.tsx'))
export const EditSelection = lazyLinks(() => import('./selection.tsx'))
