import type { SharesTable } from '../../db/links-schema.ts'
import type { StoredShare } from './shares.store.ts'

/** What a change of a link can set. */
const SETTINGS = [
  'expire',
  'password_hash',
  'token_hash',
  'label',
  'slug',
  'max_downloads',
  'paused_at',
  'preview_only',
  'rights',
  'note',
  'sender',
  'max_file_bytes',
  'max_bytes',
  'max_items',
] as const satisfies readonly (keyof SharesTable)[]

type Setting = (typeof SETTINGS)[number]
type Value = string | number | null

/** The settings of a link, as they are stored. */
export type LinkSettings = Record<Setting, Value>

/** Settings that a change set: before and after. */
export type ChangedSettings = Partial<Record<Setting, readonly [before: Value, after: Value]>>

export const settingsOf = ({ terms, ...share }: StoredShare): LinkSettings => ({
  expire: share.expire,
  password_hash: share.passwordHash,
  token_hash: share.tokenHash,
  label: share.label,
  slug: share.slug,
  max_downloads: share.maxDownloads,
  paused_at: share.pausedAt,
  preview_only: Number(share.previewOnly),
  rights: JSON.stringify(share.rights),
  note: terms.note,
  sender: terms.sender,
  max_file_bytes: terms.maxFileBytes,
  max_bytes: terms.maxBytes,
  max_items: terms.maxItems,
})

/** What a change set. */
export function changedSettings(before: LinkSettings, after: LinkSettings): ChangedSettings {
  const changed = SETTINGS.filter(name => before[name] !== after[name])
  return Object.fromEntries(changed.map(name => [name, [before[name], after[name]] as const]))
}

/** The settings that a change replaced. */
export const formerSettings = (changed: ChangedSettings): Partial<LinkSettings> =>
  Object.fromEntries(entriesOf(changed).map(([name, [before]]) => [name, before]))

/** Whether another change has set one of these since. */
export const isChangedSince = (now: LinkSettings, changed: ChangedSettings): boolean =>
  entriesOf(changed).some(([name, values]) => !values.includes(now[name]))

/** Whether a link with other settings opens to more visitors than now, for longer, by another address, or lets them do more. */
export const isWider = (now: LinkSettings, other: Partial<LinkSettings>): boolean =>
  SETTINGS.some(name => {
    const value = other[name]
    return value !== undefined && value !== now[name] && WIDER[name]?.(value, now[name]) === true
  })

const entriesOf = (changed: ChangedSettings) =>
  SETTINGS.flatMap(name => {
    const values = changed[name]
    return values ? [[name, values] as const] : []
  })

type Compare = (other: Value, now: Value) => boolean

const limitOf = (value: Value) => (value === null ? Number.POSITIVE_INFINITY : Number(value))
const endOf = (value: Value) => Number(value) || Number.POSITIVE_INFINITY
const rightsIn = (value: Value): unknown[] => JSON.parse(String(value))
const isLarger: Compare = (other, now) => limitOf(other) > limitOf(now)

const WIDER: Readonly<Partial<Record<Setting, Compare>>> = {
  expire: (other, now) => endOf(other) > endOf(now),
  // Who has the present password is locked out, and who has the other one is not; a link without one is closed by it.
  password_hash: (_other, now) => now !== '',
  token_hash: other => other !== '',
  slug: other => other !== null,
  paused_at: other => other === null,
  preview_only: other => other === 0,
  rights: (other, now) => rightsIn(other).some(right => !rightsIn(now).includes(right)),
  max_downloads: isLarger,
  max_file_bytes: isLarger,
  max_bytes: isLarger,
  max_items: isLarger,
}
