/** What the host makes of the groups of a user elsewhere. */
export interface GroupChoice {
  /** Tests of these groups, of which one must succeed; empty for everyone. */
  allow: readonly ((group: string) => boolean)[]
  /** Names of groups here, by groups there. */
  groupMap: Readonly<Record<string, string>>
}

/** Names of the groups here into which a user comes: only those that the host maps. */
export const mappedGroups = (groups: readonly string[], { groupMap }: Pick<GroupChoice, 'groupMap'>): string[] =>
  groups.flatMap(value => (Object.hasOwn(groupMap, value) ? (groupMap[value] ?? []) : []))

/** Whether a user may come in: everyone, unless patterns say which groups. */
export const isAllowed = (groups: readonly string[], { allow }: Pick<GroupChoice, 'allow'>): boolean =>
  allow.length === 0 || allow.some(fits => groups.some(fits))
