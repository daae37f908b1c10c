import { AppError } from '../../errors.ts'
import type { Property } from '../../files/property-records.ts'
import type { Entry } from '../../files/types.ts'
import type { XmlElement, XmlName } from '../../lib/xml-reader.ts'
import { LIMITS } from '../../limits.ts'
import { liveProperty, type PropertySource, USUAL_NAMES } from './live-properties.ts'
import { propstat } from './multistatus.ts'
import { elementsIn, isDav, malformed } from './read-xml.ts'
import { emptyElement } from './xml-writer.ts'

/** What a PROPFIND asks for (RFC 4918, 14.20). */
export interface RequestedProperties {
  /** `names`: without values; `all`: the usual ones and those that programs set. */
  what: 'all' | 'names' | 'some'
  /** With `some`, and in addition to `all`. */
  names: readonly XmlName[]
}

/** @throws AppError `bad_request` */
export function requestedOf(body: XmlElement | undefined): RequestedProperties {
  if (!body) return { what: 'all', names: [] }
  if (!isDav(body, 'propfind')) throw malformed('the body must be propfind')
  const children = elementsIn(body)
  const find = (name: string) => children.filter(child => isDav(child, name))
  const [prop, allprop, propname, include] = ['prop', 'allprop', 'propname', 'include'].map(find)
  const kinds = [prop, allprop, propname].flatMap(found => found ?? [])
  if (kinds.length !== 1) throw malformed('propfind must have one of prop, allprop and propname')
  if (propname?.[0]) return { what: 'names', names: [] }
  const names = elementsIn(prop?.[0] ?? include?.[0] ?? { ...body, children: [] })
  if (names.length > LIMITS.xmlNames) throw new AppError('bad_request', 'there are too many properties')
  return { what: prop?.[0] ? 'some' : 'all', names }
}

/** Whether the answer depends on what programs have set. */
export const requestsSet = ({ what, names }: RequestedProperties): boolean =>
  what !== 'some' || names.some(({ namespace, local }) => !liveProperty(namespace, local))

/** What a program wants left out. */
export interface Brevity {
  /** Names of properties that are not there. */
  missing: boolean
  /** Of the usual properties, which locks there can be, and that there is none. */
  locks: boolean
}

/** Makes the `propstat` elements of entries. */
export function renderer(
  { what, names }: RequestedProperties,
  source: PropertySource,
  without: Brevity,
): (entry: Entry, set: readonly Property[]) => string {
  if (what === 'names') return (entry, set) => propstat(namesOf(entry, set, source), 200)
  const usual = what === 'all' ? usualNames(without).map(local => ({ namespace: 'DAV:', local, prefix: 'D' })) : []
  const requested = [...usual, ...names].map(name => ({
    key: keyOf(name.namespace, name.local),
    local: name.local,
    live: liveProperty(name.namespace, name.local),
    ...elementOf(name),
    isUsual: usual.includes(name),
  }))
  return (entry, set) => {
    let found = ''
    let missing = ''
    for (const { key, local, live, empty, start, end, isUsual } of requested) {
      const value = live?.(entry, source)
      if (value === '') found += isUsual && without.locks && local === 'lockdiscovery' ? '' : empty
      else if (value !== undefined) found += start + value + end
      else {
        const own = live ? undefined : set.find(({ namespace, name }) => keyOf(namespace, name) === key)
        if (own) found += own.value
        else if (!isUsual) missing += empty
      }
    }
    if (what === 'all') for (const { value } of set) found += value
    const lacks = missing !== '' && !without.missing
    return (found !== '' || !lacks ? propstat(found, 200) : '') + (lacks ? propstat(missing, 404) : '')
  }
}

const usualNames = ({ locks }: Brevity) => (locks ? USUAL_NAMES.filter(name => name !== 'supportedlock') : USUAL_NAMES)

function namesOf(entry: Entry, set: readonly Property[], source: PropertySource): string {
  const live = USUAL_NAMES.filter(name => liveProperty('DAV:', name)?.(entry, source) !== undefined)
  const own = set.map(({ namespace, name }) => emptyElement({ namespace, local: name, prefix: '' }))
  return [...live.map(name => `<D:${name}/>`), ...own].join('')
}

/** The document binds `D`; other names bring their namespace along. */
function elementOf({ namespace, local, prefix }: XmlName) {
  if (namespace === 'DAV:') return { empty: `<D:${local}/>`, start: `<D:${local}>`, end: `</D:${local}>` }
  return { empty: emptyElement({ namespace, local, prefix }), start: '', end: '' }
}

const keyOf = (namespace: string, local: string) => `${namespace} ${local}`
