import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { PropertyChange } from '../../files/property-records.ts'
import type { Entry } from '../../files/types.ts'
import type { XmlElement, XmlName } from '../../lib/xml-reader.ts'
import { MICROSOFT, MICROSOFT_TIME } from './live-properties.ts'
import { DAV } from './read-xml.ts'

/** Seconds around the epoch that disks can store. */
const EARLIEST = -(2 ** 31)
const LATEST = 2 ** 33
const SECONDS = /^-?\d{1,12}(?:\.\d{1,9})?$/
/** RFC 9110, 5.6.7, also without the name of the day. */
const DATE = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

const isOfMicrosoft = ({ namespace, local }: XmlName) => namespace === MICROSOFT && local === MICROSOFT_TIME
const isInSeconds = ({ namespace, local }: XmlName) => namespace === DAV && local === 'lastmodified'

/** Whether programs set the modification time by this property: rclone does by `lastmodified`. */
export const isTime = (name: XmlName): boolean =>
  isOfMicrosoft(name) || isInSeconds(name) || (name.namespace === DAV && name.local === 'getlastmodified')

/** The time that a property sets, in milliseconds since the epoch; `undefined` for a malformed one. */
export function timeSetBy(element: XmlElement): number | undefined {
  const text = element.children
    .filter(child => typeof child === 'string')
    .join('')
    .trim()
  const isValid = (isInSeconds(element) ? SECONDS : DATE).test(text)
  const seconds = isInSeconds(element) ? Number(text) : Date.parse(text) / 1000
  return isValid && seconds >= EARLIEST && seconds <= LATEST ? Math.round(seconds * 1000) : undefined
}

/**
 * Changes properties, and the time by the last of these elements. Explorer takes a refused time for a failed copy, so where
 * the store cannot set it, that of Microsoft counts as set.
 * @returns whether the time could be set; if not, nothing was changed
 */
export async function changeWithTime(
  own: Files,
  { path }: Entry,
  { change, times }: { change: PropertyChange; times: readonly XmlElement[] },
): Promise<boolean> {
  const last = times.at(-1)
  try {
    await own.properties.change(path, change, last && timeSetBy(last))
    return true
  } catch (thrown) {
    if (!(last && thrown instanceof AppError && thrown.code === 'unsupported')) throw thrown
    if (!times.every(isOfMicrosoft)) return false
    await own.properties.change(path, change)
    return true
  }
}
