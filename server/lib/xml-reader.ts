import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'

export interface XmlName {
  /** `''` for none. */
  namespace: string
  local: string
  /** As written, `''` for none. */
  prefix: string
}

export interface XmlAttribute extends XmlName {
  value: string
}

export interface XmlElement extends XmlName {
  attributes: XmlAttribute[]
  /** Elements and texts in order; comments and processing instructions are left out. */
  children: (XmlElement | string)[]
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/'
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const NAME_START =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const NAME = new RegExp(`[${NAME_START}][${NAME_START}.0-9\\-\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*`, 'uy')
const SPACE = /[ \t\n]*/y
const TEXT = /[^<&]*/y
const VALUE: Readonly<Record<string, RegExp>> = { '"': /[^<&"]*/y, "'": /[^<&']*/y }
const REFERENCE = /&(?:#([0-9]{1,8})|#x([0-9a-fA-F]{1,8})|([a-z]{2,4}));/y
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])1\.[0-9]\1(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])([A-Za-z][\w.-]*)\2)?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(?:yes|no)\4)?[ \t\n]*\?>/
const NOT_XML = /[^\t\n\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u

/** The prefixes that an element binds, with their namespaces; `''` for the default one. */
interface Bindings {
  own: ReadonlyMap<string, string>
  /** Those of the element around it: copies for each child would let a small body cost much time. */
  outer?: Bindings
}

const OUTERMOST: Bindings = {
  own: new Map([
    ['', ''],
    ['xml', XML_NAMESPACE],
  ]),
}

/**
 * The root element of a document in UTF-8 (XML 1.0, Namespaces 1.0). There is no document type, and so no entity but
 * the five of XML; depth, attributes and names are limited (`LIMITS.xmlDepth`, `xmlAttributes`, `xmlName`).
 * @throws AppError `bad_request` for anything else
 */
export function parseXml(bytes: Uint8Array): XmlElement {
  return new Reader(textOf(bytes)).document()
}

function textOf(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed('is not UTF-8')
  }
  text = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  if (NOT_XML.test(text)) throw malformed('contains a character that XML does not allow')
  return text
}

const malformed = (why: string) => new AppError('bad_request', `XML: ${why}`)

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): XmlElement {
    this.#declaration()
    this.#misc()
    if (this.#text[this.#at] !== '<') throw malformed('has no root element')
    const root = this.#element(OUTERMOST, 1)
    this.#misc()
    if (this.#at < this.#text.length) throw malformed('continues after the root element')
    return root
  }

  #declaration(): void {
    const found = DECLARATION.exec(this.#text)
    if (!found) return
    const encoding = found[3]?.toLowerCase()
    if (encoding !== undefined && encoding !== 'utf-8' && encoding !== 'us-ascii') throw malformed('is not UTF-8')
    this.#at = found[0].length
  }

  /** White space, comments and processing instructions between elements. */
  #misc(): void {
    do this.#match(SPACE)
    while (this.#skipped())
  }

  /** Skips a comment or a processing instruction. */
  #skipped(): boolean {
    if (this.#text.startsWith('<!--', this.#at)) {
      const comment = this.#until('<!--', '-->')
      if (comment.includes('--') || comment.endsWith('-')) throw malformed('has a comment with --')
      return true
    }
    if (!this.#text.startsWith('<?', this.#at)) return false
    const instruction = this.#until('<?', '?>')
    NAME.lastIndex = 0
    const target = NAME.exec(instruction)?.[0] ?? ''
    if (target === '' || target.toLowerCase() === 'xml') throw malformed('has a wrong processing instruction')
    return true
  }

  #element(outer: Bindings, depth: number): XmlElement {
    if (depth > LIMITS.xmlDepth) throw malformed('is nested too deeply')
    if (this.#text.startsWith('<!', this.#at)) throw malformed('has a document type')
    this.#at += 1
    const written = this.#name()
    const raw = this.#attributes()
    const bindings = bindingsOf(raw, outer)
    const element = { ...resolve(written, bindings), attributes: attributesOf(raw, bindings), children: [] }
    if (this.#skip('/>')) return element
    this.#expect('>')
    this.#content(element, bindings, depth)
    this.#expect('</')
    if (this.#name() !== written) throw malformed('has an element that does not end')
    this.#match(SPACE)
    this.#expect('>')
    return element
  }

  #content({ children }: XmlElement, bindings: Bindings, depth: number): void {
    let text = ''
    const flush = () => {
      if (text !== '') children.push(text)
      text = ''
    }
    while (!this.#text.startsWith('</', this.#at)) {
      if (this.#at >= this.#text.length) throw malformed('has an element that does not end')
      const next = this.#text[this.#at]
      if (next === '&') text += this.#reference()
      else if (next !== '<') text += this.#characters()
      else if (this.#text.startsWith('<![CDATA[', this.#at)) text += this.#until('<![CDATA[', ']]>')
      else if (!this.#skipped()) {
        flush()
        children.push(this.#element(bindings, depth + 1))
      }
    }
    flush()
  }

  #characters(): string {
    const text = this.#match(TEXT)
    if (text.includes(']]>')) throw malformed('has ]]> in a text')
    return text
  }

  #attributes(): Map<string, string> {
    const found = new Map<string, string>()
    for (;;) {
      const space = this.#match(SPACE)
      const next = this.#text[this.#at]
      if (next === '/' || next === '>') return found
      if (space === '') throw malformed('has a wrong tag')
      const name = this.#name()
      this.#match(SPACE)
      this.#expect('=')
      this.#match(SPACE)
      if (found.has(name)) throw malformed('has an attribute twice')
      found.set(name, this.#value())
      if (found.size > LIMITS.xmlAttributes) throw malformed('has too many attributes')
    }
  }

  #value(): string {
    const quote = this.#text[this.#at] ?? ''
    const pattern = VALUE[quote]
    if (!pattern) throw malformed('has an attribute without quotes')
    this.#at += 1
    let value = ''
    for (;;) {
      value += this.#match(pattern).replace(/[\t\n]/g, ' ')
      if (this.#skip(quote)) return value
      if (this.#at >= this.#text.length) throw malformed('has an attribute that does not end')
      if (this.#text[this.#at] === '<') throw malformed('has < in an attribute')
      value += this.#reference()
    }
  }

  #reference(): string {
    REFERENCE.lastIndex = this.#at
    const found = REFERENCE.exec(this.#text)
    if (!found) throw malformed('has a wrong reference')
    this.#at += found[0].length
    const [, decimal, hex, name] = found
    if (name !== undefined) {
      const entity = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
      if (entity === undefined) throw malformed('has an unknown entity')
      return entity
    }
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) throw malformed('has a wrong reference')
    const char = String.fromCodePoint(point)
    if (char !== '\r' && NOT_XML.test(char)) throw malformed('has a wrong reference')
    return char
  }

  #name(): string {
    const name = this.#match(NAME)
    if (name === '') throw malformed('has a wrong name')
    if (name.length > LIMITS.xmlName) throw malformed('has a name that is too long')
    return name
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #skip(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #expect(text: string): void {
    if (!this.#skip(text)) throw malformed(`lacks ${text}`)
  }

  /** What is between two delimiters, of which the first is next. */
  #until(start: string, end: string): string {
    const from = this.#at + start.length
    const to = this.#text.indexOf(end, from)
    if (to < 0) throw malformed(`lacks ${end}`)
    this.#at = to + end.length
    return this.#text.slice(from, to)
  }
}

/** The bindings inside an element. */
function bindingsOf(raw: ReadonlyMap<string, string>, outer: Bindings): Bindings {
  const own = new Map<string, string>()
  for (const [name, value] of raw) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    const prefix = name.slice('xmlns:'.length)
    const isReserved =
      prefix === 'xmlns' || value === XMLNS_NAMESPACE || (prefix === 'xml') !== (value === XML_NAMESPACE)
    if (isReserved || (prefix !== '' && value === '')) throw malformed('has a wrong namespace')
    if (value.length > LIMITS.xmlName) throw malformed('has a namespace that is too long')
    own.set(prefix, value)
  }
  return own.size === 0 ? outer : { own, outer }
}

function namespaceOf(prefix: string, bindings: Bindings): string | undefined {
  for (let at: Bindings | undefined = bindings; at; at = at.outer) {
    const found = at.own.get(prefix)
    if (found !== undefined) return found
  }
  return undefined
}

function attributesOf(raw: ReadonlyMap<string, string>, bindings: Bindings): XmlAttribute[] {
  const attributes: XmlAttribute[] = []
  const seen = new Set<string>()
  for (const [name, value] of raw) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue
    const { prefix, local, namespace } = resolve(name, bindings)
    // The default namespace is not that of attributes.
    const own = prefix === '' ? '' : namespace
    if (seen.has(`${own} ${local}`)) throw malformed('has an attribute twice')
    seen.add(`${own} ${local}`)
    attributes.push({ namespace: own, local, prefix, value })
  }
  return attributes
}

function resolve(written: string, bindings: Bindings): XmlName {
  const colon = written.indexOf(':')
  const prefix = colon < 0 ? '' : written.slice(0, colon)
  const local = written.slice(colon + 1)
  const namespace = namespaceOf(prefix, bindings)
  const isWrong = colon === 0 || local === '' || local.includes(':') || !isNameStart(local)
  if (isWrong || namespace === undefined) throw malformed('has a name without a namespace')
  return { namespace, local, prefix }
}

function isNameStart(local: string): boolean {
  NAME.lastIndex = 0
  return NAME.exec(local)?.[0] === local
}
