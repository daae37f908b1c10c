import { localSize } from '../../lib/local-preference.ts'

/** Width of the sidebar where it shows its texts; stored in this browser. */
export const sidebarWidth = localSize('filigree.sidebarWidth', 200, 248)
