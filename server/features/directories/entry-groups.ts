import { LIMITS } from '../../limits.ts'
import type { DirectoryConnection } from './directory-connection.ts'
import { DirectoryError } from './directory-error.ts'
import type { DirectorySettings } from './directory-settings.ts'
import type { DirectoryEntry } from './entry.ts'
import { anyOf, filled } from './filters.ts'
import { primaryGroupSid } from './sid.ts'

/** What the server of a directory can. */
export interface Abilities {
  /** It finds nested groups itself (`LDAP_MATCHING_RULE_IN_CHAIN`). */
  chain: boolean
}

/** Groups of an entry. */
export interface FoundGroups {
  /** The name and the DN of each, in lower case. */
  names: string[]
  /** The names as they are written. */
  titles: string[]
  /** Whether there were more than the limits allow. */
  isCut: boolean
}

type GroupSettings = Pick<
  DirectorySettings,
  'base' | 'groups' | 'groupBase' | 'groupFilter' | 'groupName' | 'nested' | 'usernameAttribute'
>

interface Group {
  dn: string
  name: string
}

/** The supported capability of Active Directory and Samba. */
const ACTIVE_DIRECTORY = '1.2.840.113556.1.4.800'
const CHAIN = '(member:1.2.840.113556.1.4.1941:={dn})'
/** A group that contains another one. */
const CONTAINS = '(|(member={dn})(uniqueMember={dn}))'

/** What the root of a server says about it. */
export async function abilitiesOf(connection: DirectoryConnection): Promise<Abilities> {
  const attributes = ['supportedCapabilities']
  const [root] = await connection.search('', { filter: '(objectClass=*)', scope: 'base', attributes, most: 1 })
  return { chain: root?.texts('supportedCapabilities').includes(ACTIVE_DIRECTORY) ?? false }
}

/**
 * The groups of an entry, with those that contain them, as the settings say.
 * @param abilities asked for only where they decide
 * @throws DirectoryError; `unusable` where the settings ask for a chain that the server cannot follow
 */
export async function groupsOf(
  connection: DirectoryConnection,
  settings: GroupSettings,
  entry: DirectoryEntry,
  abilities: () => Promise<Abilities>,
): Promise<FoundGroups> {
  const { groups, nested } = settings
  if (groups === 'off') return { names: [], titles: [], isCut: false }
  if (nested === 'auto' || nested === 'chain') {
    const { chain } = await abilities()
    if (chain) return shown(await chained(connection, settings, entry))
    // Such a server would find nothing, and say nothing.
    if (nested === 'chain') throw new DirectoryError('unusable', 'the server cannot follow nested groups itself')
  }
  const direct = groups === 'memberOf' ? byMemberOf(settings, entry) : await bySearch(connection, settings, entry)
  const primary = await primaryOf(connection, settings, entry)
  const found = new Map([...direct, ...primary].map(group => [group.dn.toLowerCase(), group]))
  if (nested === 'off') return shown({ groups: [...found.values()], isCut: false })
  return shown(await expanded(connection, settings, found))
}

async function chained(connection: DirectoryConnection, settings: GroupSettings, entry: DirectoryEntry) {
  const direct = await primaryOf(connection, settings, entry)
  const filters = [entry.dn, ...direct.map(({ dn }) => dn)].map(dn => filled(CHAIN, { dn }))
  const found = await groupSearch(connection, settings, anyOf(filters))
  return { groups: [...direct, ...found.groups], isCut: found.isCut }
}

/** The groups that the entry itself names. Their names are those in the DN, so only a group base bounds who makes them. */
function byMemberOf({ groupBase, base }: GroupSettings, entry: DirectoryEntry): Group[] {
  const below = `,${(groupBase || base).toLowerCase()}`
  return entry
    .texts('memberOf')
    .filter(dn => dn.toLowerCase().endsWith(below))
    .slice(0, LIMITS.directoryGroups)
    .map(dn => ({ dn, name: firstValue(dn) }))
}

async function bySearch(connection: DirectoryConnection, settings: GroupSettings, entry: DirectoryEntry) {
  const username = entry.text(settings.usernameAttribute) ?? ''
  const filter = filled(settings.groupFilter, { dn: entry.dn, username })
  return (await groupSearch(connection, settings, filter)).groups
}

/** Active Directory has the primary group of a user in none of its lists of members. */
async function primaryOf(connection: DirectoryConnection, settings: GroupSettings, entry: DirectoryEntry) {
  const sid = primaryGroupSid(entry.bytes('objectSid'), entry.text('primaryGroupID'))
  if (sid === undefined) return []
  return (await groupSearch(connection, settings, `(objectSid=${sid})`)).groups
}

/** Adds the groups that contain known ones, level by level; a group in a ring is met once. */
async function expanded(connection: DirectoryConnection, settings: GroupSettings, found: Map<string, Group>) {
  let level = [...found.values()]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth >= LIMITS.directoryLevels) return { groups: [...found.values()], isCut: true }
    const next: Group[] = []
    for (let at = 0; at < level.length; at += LIMITS.directoryPage) {
      const part = level.slice(at, at + LIMITS.directoryPage)
      const { groups } = await groupSearch(connection, settings, anyOf(part.map(({ dn }) => filled(CONTAINS, { dn }))))
      for (const group of groups) {
        const key = group.dn.toLowerCase()
        if (found.has(key)) continue
        if (found.size >= LIMITS.directoryGroups) return { groups: [...found.values()], isCut: true }
        found.set(key, group)
        next.push(group)
      }
    }
    level = next
  }
  return { groups: [...found.values()], isCut: false }
}

async function groupSearch(
  connection: DirectoryConnection,
  { base, groupBase, groupName }: GroupSettings,
  filter: string,
): Promise<{ groups: Group[]; isCut: boolean }> {
  const most = LIMITS.directoryGroups
  const found = await connection.search(groupBase || base, { filter, attributes: [groupName], most })
  const groups = found.slice(0, most).map(entry => ({ dn: entry.dn, name: entry.text(groupName) ?? '' }))
  return { groups, isCut: found.length > most }
}

function shown({ groups, isCut }: { groups: readonly Group[]; isCut: boolean }): FoundGroups {
  const names = groups.flatMap(({ dn, name }) => [name, dn]).map(text => text.toLowerCase())
  const titles = groups.map(({ name }) => name).filter(name => name !== '')
  return { names: [...new Set(names)].filter(name => name !== ''), titles: [...new Set(titles)], isCut }
}

/** The first value of a DN (RFC 4514), such as `staff` of `cn=staff,ou=groups`. */
function firstValue(dn: string): string {
  const [, value = ''] = /^[^=]+=((?:\\.|[^\\,+])*)/s.exec(dn) ?? []
  const bytes = value
    .trim()
    .replace(/((?:\\[\da-f]{2})+)|\\(.)/gi, (_, hex: string | undefined, plain: string) =>
      hex === undefined ? plain : Buffer.from(hex.replaceAll('\\', ''), 'hex').toString(),
    )
  return bytes
}
