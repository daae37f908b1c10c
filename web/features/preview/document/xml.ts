/** A token of an XML document: a start or end tag, or text. */
export interface Token {
  kind: 'open' | 'close' | 'text'
  /** Name of an element, without its prefix. */
  name: string
  /** The tag's content after the name; else the text. */
  content: string
  /** Whether the tag is self-closing. */
  empty: boolean
}

/** A tag at an offset. Scanning here and below is linear: a document may be crafted to take for ever. */
const TAG = /<(\/?)(?:[^\s:/<>"']+:)?([^\s:/<>"']+)((?:"[^"]*"|'[^']*'|[^'"<>/]|\/(?!>))*)(\/?)>/y

/** Constructs that are skipped, and those that hold literal text. */
const PASSED: readonly { start: string; end: string; text: boolean }[] = [
  { start: '<!--', end: '-->', text: false },
  { start: '<![CDATA[', end: ']]>', text: true },
  { start: '<?', end: '?>', text: false },
  { start: '<!', end: '>', text: false },
]

const textToken = (content: string): Token => ({ kind: 'text', name: '', content, empty: false })

/** The tokens of a document in order. Entities defined by the document are not supported. */
export function* tokensOf(xml: string): Generator<Token> {
  let at = 0
  while (at < xml.length) {
    const open = xml.indexOf('<', at)
    const end = open < 0 ? xml.length : open
    if (end > at) yield textToken(unescaped(xml.slice(at, end)))
    if (open < 0) return
    const passed = PASSED.find(({ start }) => xml.startsWith(start, open))
    if (passed) {
      const close = xml.indexOf(passed.end, open + passed.start.length)
      if (passed.text) yield textToken(xml.slice(open + passed.start.length, close < 0 ? undefined : close))
      at = close < 0 ? xml.length : close + passed.end.length
      continue
    }
    TAG.lastIndex = open
    const [tag = '<', slash, name = '', content = '', empty] = TAG.exec(xml) ?? []
    at = open + tag.length
    if (name === '') yield textToken(tag)
    else yield { kind: slash ? 'close' : 'open', name, content, empty: empty === '/' }
  }
}

/** The start tags of this name. */
export function* opened(xml: string, name: string): Generator<Token> {
  for (const token of tokensOf(xml)) if (token.kind === 'open' && token.name === name) yield token
}

const ATTRIBUTES = new Map<string, RegExp>()

/** The value of an attribute, whatever its prefix; `undefined` without one of that name. */
export function attribute({ content }: Token, name: string): string | undefined {
  let pattern = ATTRIBUTES.get(name)
  if (!pattern) {
    pattern = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    ATTRIBUTES.set(name, pattern)
  }
  const match = pattern.exec(content)
  return match ? unescaped(match[1] ?? match[2] ?? '') : undefined
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, digits?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
