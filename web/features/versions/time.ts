import type { VersionItem } from '../../../shared/api/versions.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { localeTag } from '../../lib/i18n/index.ts'
import { dateFormat } from '../../lib/i18n/intl.ts'

type Timed = Pick<VersionItem, 'id' | 'modified'>

/** The time of a version, with seconds where another one is of the same minute. */
export function timeAmong(items: readonly Timed[], { id, modified }: Timed, tag = localeTag()): string {
  const isShared = items.some(other => other.id !== id && minuteOf(other.modified) === minuteOf(modified))
  if (!isShared) return formatDate(modified, tag)
  return dateFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(modified))
}

const minuteOf = (time: string) => Math.floor(Date.parse(time) / 60_000)
