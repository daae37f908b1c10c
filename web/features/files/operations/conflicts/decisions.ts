import type { Conflict, Decision } from './conflict.ts'

/** The decisions left without the permission to replace. */
export const NO_REPLACING: readonly Decision[] = ['keepBoth', 'skip']
/** The possible decisions on a taken name. */
const SIMPLE: readonly Decision[] = ['keepBoth', 'replace', 'skip']
/** Decisions that compare both versions: for files; folders merge. */
const COMPARING: readonly Decision[] = ['replaceOlder', 'skipIdentical']
/** All of them. */
export const ALL: readonly Decision[] = [...SIMPLE, ...COMPARING]

/** The decisions made so far. */
export interface Choosing {
  mayReplace: boolean
  /** For all at once. */
  all: Decision | undefined
  /** For single conflicts, by id. */
  single: ReadonlyMap<string, Decision>
}

/** A folder, but not a link to one. */
const isOwnFolder = ({ isDir, isSymlink = false }: Conflict['ours']): boolean => isDir && !isSymlink

/** Whether both are folders: replacing one means merging them. Links to folders are never merged. */
export const isMerge = ({ ours, theirs }: Pick<Conflict, 'ours' | 'theirs'>): boolean =>
  isOwnFolder(ours) && theirs !== undefined && isOwnFolder(theirs)

/** The possible decisions on a conflict. A file can't replace a folder, nor a folder a file. */
export function optionsOf({ mayReplace }: Choosing, conflict: Conflict): readonly Decision[] {
  const { ours, theirs } = conflict
  if (!mayReplace) return NO_REPLACING
  if (isMerge(conflict)) return SIMPLE
  return theirs && (ours.isDir || theirs.isDir) ? NO_REPLACING : ALL
}

const compares = (decision: Decision | undefined) => decision !== undefined && COMPARING.includes(decision)

/** The conflicts that a decision for all applies to: files, since folders merge, unless there are only folders. */
export function inAll(conflicts: readonly Conflict[]): (conflict: Conflict) => boolean {
  const onlyFolders = conflicts.every(isMerge)
  return conflict => onlyFolders || !isMerge(conflict)
}

/** The decision on each conflict. By default folders merge, where the permission allows it, and both files are kept. */
export function decider(conflicts: readonly Conflict[], choosing: Choosing): (conflict: Conflict) => Decision {
  const counts = inAll(conflicts)
  return conflict => {
    const forAll = counts(conflict) && !(isMerge(conflict) && compares(choosing.all)) ? choosing.all : undefined
    const wanted = choosing.single.get(conflict.id) ?? forAll ?? (isMerge(conflict) ? 'replace' : 'keepBoth')
    return optionsOf(choosing, conflict).includes(wanted) ? wanted : 'keepBoth'
  }
}

/** The conflicts that remain under the decisions so far: none in a folder that is not merged. */
export function openConflicts(
  conflicts: readonly Conflict[],
  decide: (conflict: Conflict) => Decision,
): readonly Conflict[] {
  const apart = new Set(conflicts.filter(folder => isMerge(folder) && decide(folder) !== 'replace').map(({ id }) => id))
  return conflicts.filter(({ inside }) => inside === undefined || !apart.has(inside))
}
