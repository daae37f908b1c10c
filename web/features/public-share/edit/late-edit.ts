import { lazyLinks } from '../../../lib/lazy.ts'

/** What only links to edit show, with its texts. */
export const EditTools = lazyLinks(() => import('./tools.tsx'))
export const EditedText = lazyLinks(() => import('./edited-text.tsx'))
export const VisitorName = lazyLinks(() => import('./visitor-name.tsx'))
export const EditDrag = lazyLinks(() => import('./drag.ts'))
export const EditSelection = lazyLinks(() => import('./selection.tsx'))
