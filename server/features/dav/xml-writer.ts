import type { XmlElement, XmlName } from '../../lib/xml-reader.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
/** Texts that stay as they are: most names, and all addresses. */
const PLAIN = /^[\t\n !#-%'-;=?-~]*$/
const SPECIAL = /[&<>"\r]/
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** A text as the content of an element. Characters that XML cannot contain, such as those of names, are U+FFFD. */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text
  const clean = text.replace(NOT_XML, '\u{FFFD}')
  return SPECIAL.test(clean) ? clean.replace(/[&<>"\r]/g, char => ESCAPES[char] ?? char) : clean
}

const escapeAttribute = (text: string) => text.replace(/[&<>"\t\n\r]/g, char => ESCAPES[char] ?? char)

type Bindings = ReadonlyMap<string, string>
const NONE: Bindings = new Map([
  ['', ''],
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
])

/**
 * An element with its content. It declares the namespaces that it uses itself, so that it can be put anywhere into a
 * document whose default namespace is none; prefixes stay as they were written.
 */
export function writeElement(element: XmlElement): string {
  return write(element, NONE)
}

/** An element without content. */
export const emptyElement = ({ namespace, local, prefix }: XmlName): string =>
  writeElement({ namespace, local, prefix, attributes: [], children: [] })

function write({ attributes, children, ...name }: XmlElement, outer: Bindings): string {
  const bindings = new Map(outer)
  const declared: string[] = []
  const use = ({ prefix, namespace }: XmlName) => {
    if (bindings.get(prefix) === namespace) return
    bindings.set(prefix, namespace)
    declared.push(` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(namespace)}"`)
  }
  use(name)
  for (const attribute of attributes) if (attribute.prefix !== '') use(attribute)
  const own = attributes.map(attribute => ` ${written(attribute)}="${escapeAttribute(attribute.value)}"`)
  const start = `<${written(name)}${declared.join('')}${own.join('')}`
  if (children.length === 0) return `${start}/>`
  const content = children.map(child => (typeof child === 'string' ? escapeText(child) : write(child, bindings)))
  return `${start}>${content.join('')}</${written(name)}>`
}

const written = ({ prefix, local }: XmlName) => (prefix === '' ? local : `${prefix}:${local}`)
