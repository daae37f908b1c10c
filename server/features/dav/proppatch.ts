import { AppError } from '../../errors.ts'
import type { Property, PropertyChange } from '../../files/property-records.ts'
import type { XmlElement } from '../../lib/xml-reader.ts'
import { LIMITS } from '../../limits.ts'
import { type Route, target } from '../../routing/route.ts'
import type { DavDeps } from './content.ts'
import { filesOf } from './files-of.ts'
import { isProtected } from './live-properties.ts'
import { hrefsBelow, propstat, response, sendMultistatus } from './multistatus.ts'
import { elementsIn, isDav, malformed, readXml } from './read-xml.ts'
import { changeWithTime, isTime, timeSetBy } from './set-times.ts'
import { emptyElement, writeElement } from './xml-writer.ts'

/** One instruction, in the order of the document. */
interface Instruction {
  does: 'set' | 'remove'
  element: XmlElement
}

const PROTECTED = '<D:error><D:cannot-modify-protected-property/></D:error>'

/** PROPPATCH: sets and removes properties, all or none (RFC 4918, 9.2). */
export function proppatch({ files, config }: DavDeps): Route['handler'] {
  const hrefOf = hrefsBelow(config.baseURL)
  return async (request, reply) => {
    const instructions = instructionsIn(await readXml(request))
    const own = await filesOf(files, request)
    const entry = await own.info(target(request).path)
    if (entry.kind === 'special') throw new AppError('special_file')
    const refused = new Map(instructions.flatMap(one => statusOf(one).map(status => [one, status])))
    if (refused.size === 0) {
      const times = instructions.filter(isSetTime)
      const change = changeOf(instructions.filter(one => !times.includes(one)))
      const done = await changeWithTime(own, entry, { change, times: times.map(({ element }) => element) })
      if (!done) for (const one of times) refused.set(one, 409)
    }
    return sendMultistatus(
      reply,
      response(hrefOf(entry.path, entry.kind === 'folder'), outcomeOf(instructions, refused)),
    )
  }
}

/** An instruction that sets the modification time. */
const isSetTime = ({ does, element }: Instruction) => does === 'set' && isTime(element)

/** The status with which an instruction is refused, if it is. */
function statusOf(one: Instruction): [403 | 409] | [] {
  if (isSetTime(one)) return timeSetBy(one.element) === undefined ? [409] : []
  return isProtected(one.element) ? [403] : []
}

function outcomeOf(instructions: readonly Instruction[], refused: ReadonlyMap<Instruction, 403 | 409>): string {
  const those = (status: 403 | 409 | undefined) =>
    instructions
      .filter(one => refused.get(one) === status)
      .map(({ element }) => emptyElement(element))
      .join('')
  const [rest, forbidden, conflicting] = [those(undefined), those(403), those(409)]
  return [
    forbidden && propstat(forbidden, 403, PROTECTED),
    conflicting && propstat(conflicting, 409),
    rest && propstat(rest, refused.size === 0 ? 200 : 424),
  ].join('')
}

/** @throws AppError `bad_request` */
function instructionsIn(body: XmlElement | undefined): Instruction[] {
  if (!body || !isDav(body, 'propertyupdate')) throw malformed('the body must be propertyupdate')
  const instructions = elementsIn(body).flatMap(action => {
    const does = isDav(action, 'set') ? 'set' : isDav(action, 'remove') ? 'remove' : undefined
    if (!does) return []
    const properties = elementsIn(action).filter(child => isDav(child, 'prop'))
    return properties.flatMap(prop =>
      elementsIn(prop).map(element => ({ does, element: withLanguage(element, [prop, action, body]) }) as const),
    )
  })
  if (instructions.length === 0) throw malformed('propertyupdate must set or remove properties')
  if (instructions.length > LIMITS.xmlNames) throw malformed('there are too many properties')
  return instructions
}

/** The language of a value is part of it (RFC 4918, 4.3). */
function withLanguage(element: XmlElement, around: readonly XmlElement[]): XmlElement {
  const languageOf = ({ attributes }: XmlElement) =>
    attributes.find(({ prefix, local }) => prefix === 'xml' && local === 'lang')
  const language = [element, ...around].map(languageOf).find(found => found !== undefined)
  if (!language || languageOf(element)) return element
  return { ...element, attributes: [...element.attributes, language] }
}

/** What the instructions come to: later ones win. */
function changeOf(instructions: readonly Instruction[]): PropertyChange {
  const set = new Map<string, Property>()
  const remove = new Map<string, { namespace: string; name: string }>()
  for (const { does, element } of instructions) {
    const { namespace, local: name } = element
    const key = `${namespace} ${name}`
    remove.delete(key)
    set.delete(key)
    if (does === 'set') set.set(key, { namespace, name, value: writeElement(element) })
    else remove.set(key, { namespace, name })
  }
  return { set: [...set.values()], remove: [...remove.values()] }
}
