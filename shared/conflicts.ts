/**
 * What becomes of something that is on its way when another of its name is there. Folders merge: the choice then counts
 * for what is in them. Only `keepBoth` gives the newcomer another name, a folder too.
 */
export const CONFLICT_CHOICES = ['replace', 'keepBoth', 'skip', 'skipIdentical', 'replaceOlder'] as const

/**
 * `skipIdentical` replaces what has other bytes; `replaceOlder` replaces what was changed before the newcomer was.
 */
export type ConflictChoice = (typeof CONFLICT_CHOICES)[number]

/** Files that are told one by one of those that are in the way of others; all further ones are counted. */
export const MAX_TOLD_CONFLICTS = 500
