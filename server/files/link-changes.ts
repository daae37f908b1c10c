import type { LinkChange } from '../../shared/api/changes.ts'

type Value = string | number | null
type Values = readonly [before: Value, after: Value]
type Named = (values: Values) => LinkChange

const limit: Named = ([before, after]) =>
  before !== null && (after === null || after > before) ? 'limitRaised' : 'limitLowered'

/** By the names under which a step has them; see `server/features/shares/link-settings.ts`. */
const NAMES: Readonly<Record<string, Named>> = {
  password_hash: ([before, after]) =>
    after === '' ? 'passwordRemoved' : before === '' ? 'passwordSet' : 'passwordChanged',
  expire: ([before, after]) => {
    if (Number(after) === 0) return 'endRemoved'
    if (Number(before) === 0) return 'endSet'
    return Number(after) > Number(before) ? 'endsLater' : 'endsEarlier'
  },
  label: () => 'nameChanged',
  slug: () => 'addressChanged',
  paused_at: ([, after]) => (after === null ? 'resumed' : 'paused'),
  preview_only: ([, after]) => (after === 0 ? 'downloadsAllowed' : 'previewsOnly'),
  rights: ([before, after]) => {
    const [had, has] = [rightsIn(before), rightsIn(after)]
    if (has.isSupersetOf(had)) return 'rightsAdded'
    return has.isSubsetOf(had) ? 'rightsRemoved' : 'rightsChanged'
  },
  note: () => 'messageChanged',
  sender: () => 'senderChanged',
  max_downloads: limit,
  max_file_bytes: limit,
  max_bytes: limit,
  max_items: limit,
}

const rightsIn = (value: Value) => new Set<unknown>(JSON.parse(String(value)))

/** What a change of a link did to its settings. @param settings as `Step.settings` has them */
export function linkChanges(settings: string): LinkChange[] {
  const changed: Partial<Record<string, Values>> = JSON.parse(settings)
  const names = Object.entries(NAMES).flatMap(([name, named]) => {
    const values = changed[name]
    return values ? named(values) : []
  })
  return [...new Set(names)]
}
