import { localPreference } from '../../lib/local-preference.ts'

/** Whether uploads of this browser were unfinished when a page was left: then the next page looks for them at once. */
export const leftUploads = localPreference('filigree.uploadsLeft', ['yes', 'no'], 'no')
