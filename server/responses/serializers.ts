import type { ResourceItem, ResourceType } from '../../shared/api/resources.ts'
import { extensionOf } from '../../shared/path.ts'
import { MODE_FOLDER } from '../../shared/resource-types.ts'
import { kindByName } from '../file-types/file-type.ts'
import type { Entry } from '../files/types.ts'

/** Bits that Go's file modes add above the permissions; clients read them (http-api 15.1). */
const MODE_LINK = 2 ** 27
const MODE_PIPE = 2 ** 25

/** The wire's fields of an entry. */
type Presented = Pick<Entry, 'name' | 'path' | 'kind' | 'isLink' | 'size' | 'modified' | 'mode'>

/** One file or folder as on the wire. */
export function presentItem(entry: Presented, type: ResourceType = kindOfEntry(entry)): ResourceItem {
  const isDir = entry.kind === 'folder'
  return {
    path: entry.path,
    name: entry.name,
    size: entry.size,
    extension: extensionOf(entry.name),
    modified: rfc3339(entry.modified),
    mode: wireMode(entry),
    isDir,
    isSymlink: entry.isLink,
    type,
  }
}

/** The type of an entry of which only the storage's metadata is known (http-api 15.2). */
export function kindOfEntry(entry: Pick<Entry, 'name' | 'kind' | 'size'>): ResourceType {
  if (entry.kind === 'folder') return ''
  if (entry.kind === 'link') return 'invalid_link'
  if (entry.kind === 'special') return 'blob'
  return kindByName(entry.name, entry.size)
}

/** Go's file mode (http-api 15.1). */
export function wireMode(entry: Pick<Entry, 'kind' | 'mode'>): number {
  const permissions = entry.mode & 0o777
  if (entry.kind === 'folder') return permissions + MODE_FOLDER
  if (entry.kind === 'link') return permissions + MODE_LINK
  if (entry.kind === 'special') return permissions + MODE_PIPE
  return permissions
}

/** RFC 3339 in UTC with as many digits as the time has, trailing zeros trimmed: `2022-01-02T03:04:05.12Z`. */
export function rfc3339(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const micros = Math.round((milliseconds - seconds * 1000) * 1000)
  const carried = micros >= 1_000_000 ? 1 : 0
  const time = timeOf(seconds + carried)
  return `${cached.date}${time}${carried ? '' : fractionOf(micros)}Z`
}

/** A time in whole seconds as HTTP has it (RFC 9110, 5.6.7): `Sun, 02 Jan 2022 03:04:05 GMT`. */
export function httpDate(milliseconds: number): string {
  const time = timeOf(Math.floor(milliseconds / 1000))
  return `${cached.httpDay}${time} GMT`
}

const DAY = 86_400
/** Of what `Date` has; some file systems have more. */
const LAST_DAY = 99_999_999
/** The day of the last formatted time, in days since the epoch, and its date: entries of one folder share few. */
let cached = { day: 0, date: '1970-01-01T', httpDay: 'Thu, 01 Jan 1970 ' }

/** The time of day; its day is in `cached` then. @param seconds since the epoch */
function timeOf(seconds: number): string {
  const day = Math.min(Math.max(Math.floor(seconds / DAY), -LAST_DAY), LAST_DAY)
  if (day !== cached.day) {
    const date = new Date(day * DAY * 1000)
    cached = { day, date: date.toISOString().slice(0, -13), httpDay: date.toUTCString().slice(0, -12) }
  }
  const time = Math.min(Math.max(seconds - day * DAY, 0), DAY - 1)
  return `${TWO[Math.floor(time / 3600)]}:${TWO[Math.floor(time / 60) % 60]}:${TWO[time % 60]}`
}

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

function fractionOf(micros: number): string {
  if (micros === 0) return ''
  let [digits, rest] = [6, micros]
  for (; rest % 10 === 0; rest /= 10) digits -= 1
  return `.${String(rest).padStart(digits, '0')}`
}
