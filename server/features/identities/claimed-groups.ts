import { type GroupDeps, syncMemberships } from '../groups/groups.ts'

/** What the host makes of the groups of a user elsewhere. */
export interface GroupChoice {
  /** Shown to users. */
  label: string
  /** Tests of these groups, of which one must succeed; empty for everyone. */
  allow: readonly ((group: string) => boolean)[]
  /** Names of groups here, by groups there. */
  groupMap: Readonly<Record<string, string>>
  /** Whether the others become groups here, under their names. */
  importGroups: 'mapped' | 'all'
}

/** The groups of a user elsewhere. */
export interface ClaimedGroups {
  /** As `allow` and `groupMap` name them. */
  names: readonly string[]
  /** As they are called. */
  titles: readonly string[]
}

type Choice = Pick<GroupChoice, 'groupMap' | 'importGroups'>

/** Names of the groups here into which a user comes by `groupMap`. */
export const mappedGroups = (groups: readonly string[], { groupMap }: Pick<Choice, 'groupMap'>): string[] =>
  groups.flatMap(value => (Object.hasOwn(groupMap, value) ? (groupMap[value] ?? []) : []))

/** Names of the groups that are made here for a user: all that are not mapped, where the host wants them. */
export const importedGroups = (titles: readonly string[], { groupMap, importGroups }: Choice): string[] => {
  const isMapped = (title: string) => Object.hasOwn(groupMap, title) || Object.hasOwn(groupMap, title.toLowerCase())
  return importGroups === 'mapped' ? [] : titles.map(title => title.trim()).filter(title => !isMapped(title))
}

/** Whether a user may come in: everyone, unless patterns say which groups. */
export const isAllowed = (groups: readonly string[], { allow }: Pick<GroupChoice, 'allow'>): boolean =>
  allow.length === 0 || allow.some(fits => groups.some(fits))

/** Replaces the memberships that a provider or a directory gives to a user. */
export const syncClaimed = (
  deps: GroupDeps,
  userId: number,
  source: string,
  { names, titles }: ClaimedGroups,
  choice: GroupChoice,
): Promise<void> => {
  const imports = { names: importedGroups(titles, choice), description: choice.label }
  return syncMemberships(deps, userId, source, mappedGroups(names, choice), imports)
}
