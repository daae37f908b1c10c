/**
 * What to do with an item whose destination exists. Folders are merged: the choice then applies to their content. Only
 * `keepBoth` renames the new item, a folder too.
 */
export const CONFLICT_CHOICES = ['replace', 'keepBoth', 'skip', 'skipIdentical', 'replaceOlder'] as const

/**
 * `skipIdentical` replaces files with other bytes; `replaceOlder` replaces files that were modified before the new one.
 */
export type ConflictChoice = (typeof CONFLICT_CHOICES)[number]

/** Maximum number of conflicting files that are listed; further ones are counted. */
export const MAX_LISTED_CONFLICTS = 500
