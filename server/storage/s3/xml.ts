/**
 * A store's responses are XML of few, flat elements that never contain one of their own name; object names are
 * percent-encoded in them. This module parses no more than that.
 */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The content of each element of a name. */
export function elementsOf(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g')), ([, inside = '']) => inside)
}

/** The text of the first element of a name, `''` if there is none. */
export function textIn(xml: string, name: string): string {
  return (elementsOf(xml, name)[0] ?? '').replace(
    /&(#x?)?(\w+);/g,
    (whole, number: string | undefined, word: string) => {
      if (number === undefined) return ENTITIES[word] ?? whole
      return String.fromCodePoint(Number.parseInt(word, number === '#x' ? 16 : 10))
    },
  )
}

/** Escapes text for an element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** Whether XML 1.0 can represent a text at all. */
export function fitsXml(text: string): boolean {
  return text.isWellFormed() && !UNFIT.test(text)
}

const UNFIT = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
