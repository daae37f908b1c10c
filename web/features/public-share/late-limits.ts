import { lazyLinks } from '../../lib/lazy.ts'

/** What only links with a limit of downloads show, with its texts. */
export const UsedUp = lazyLinks(() => import('./used-up.tsx'))
export const DownloadsLeft = lazyLinks(() => import('./downloads-left.tsx'))
export const NotShown = lazyLinks(() => import('./not-shown.tsx'))
