import { localPreference } from '../../../lib/local-preference.ts'

/** How the note of a folder is shown below its listing, in this browser. */
export const README_CHOICES = ['open', 'folded', 'off'] as const
export type ReadmeChoice = (typeof README_CHOICES)[number]

export const readmePreference = localPreference<ReadmeChoice>('filigree.readme', README_CHOICES, 'open')
