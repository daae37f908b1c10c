import { lazyLinks } from '../../lib/lazy.ts'

/** What only paused links show, and those with limits, with its texts. */
export const Paused = lazyLinks(() => import('./paused.tsx'))
export const UsedUp = lazyLinks(() => import('./used-up.tsx'))
export const DownloadsLeft = lazyLinks(() => import('./downloads-left.tsx'))
export const NotShown = lazyLinks(() => import('./not-shown.tsx'))
