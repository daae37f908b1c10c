/**
 * The answers of a store are XML of few, flat elements that never contain one of their own name; names of objects come
 * percent-encoded in them. That is all that is read here.
 */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What stands in each element of a name. */
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

/** Text for an element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** Whether XML 1.0 can hold a text at all. */
export function fitsXml(text: string): boolean {
  return text.isWellFormed() && !UNFIT.test(text)
}

const UNFIT = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
