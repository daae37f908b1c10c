import { stripHtml } from '../../../lib/strip-html.ts'
import type { Heading } from '../document/contents.tsx'
import type { FramedDocument } from '../document/frame/document-frame.tsx'
import { cleanMarkup, type Targets } from '../document/frame/markup.ts'
import { cleanRules } from '../document/frame/rules.ts'
import { type Parts, textOf, unpack } from '../document/zip.ts'
import { type Book, readPackage, resolve } from './package.ts'

/** A rendered book. */
export interface RenderedBook extends FramedDocument {
  /** Each with the id of its target element. */
  headings: readonly (Heading & { place: string | undefined })[]
}

/** Total bytes of images shown; later ones leave their descriptions. */
const MAX_PICTURES = 24 * 1024 * 1024

const ELEMENTS = new Set(
  'a abbr aside b bdi bdo blockquote br caption cite code col colgroup dd del dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s samp section small span strong sub sup table tbody td tfoot th thead time tr u ul var wbr'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(
  'alt class colspan dir height href id lang rowspan scope src start title type value width'.split(' '),
)
const VOID = new Set(['br', 'col', 'hr', 'img', 'wbr'])
/** A self-closing tag, which HTML lacks. */
const EMPTY_TAG = /<([a-z][a-z\d]*)((?:"[^"]*"|'[^']*'|[^'"<>/]|\/(?!>))*)\/>/gi

const PICTURES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/** All chapters of a book in one document, without active content. @throws UnreadableError */
export function renderBook(bytes: Uint8Array): RenderedBook {
  const parts = unpack(bytes)
  const book = readPackage(parts)
  const pictureOf = picturesOf(parts)
  const chapters = book.chapters.map(({ file }, index) => {
    const html = cleanMarkup(bodyOf(textOf(parts, file) ?? ''), targetsOf(book, index, pictureOf))
    return `<section id="${placeOf(index)}">${html}</section>`
  })
  const rules = book.styles.map(file => cleanRules(textOf(parts, file) ?? ''))
  return {
    html: `<main>${chapters.join('')}</main>`,
    css: rules.join('\n'),
    language: book.language,
    headings: book.headings.map(({ target, ...heading }) => {
      const place = placeIn(book, target)
      return { ...heading, place, leads: place !== undefined }
    }),
  }
}

/** Id of a chapter in the page, and of elements in it. */
const placeOf = (chapter: number, id?: string) => (id ? `part-${chapter}-${id}` : `part-${chapter}`)

function placeIn({ chapters }: Book, target: string): string | undefined {
  const [file = '', id] = target.split('#')
  const chapter = chapters.findIndex(each => each.file === file)
  return chapter < 0 ? undefined : placeOf(chapter, id)
}

function targetsOf(book: Book, chapter: number, pictureOf: (file: string) => string | undefined): Targets {
  const from = book.chapters[chapter]?.file ?? ''
  return {
    idOf: link => placeIn(book, resolve(link, from)),
    pictureOf: source => pictureOf(resolve(source, from)),
    ownId: id => placeOf(chapter, id),
  }
}

/** Images of the archive as URLs, up to the limit; each is created once. */
function picturesOf(parts: Parts): (file: string) => string | undefined {
  const made = new Map<string, string>()
  let left = MAX_PICTURES
  return file => {
    const known = made.get(file)
    const bytes = parts[file]
    const type = PICTURES[/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '']
    if (known !== undefined || !bytes || !type) return known
    left -= bytes.length
    if (left < 0) return undefined
    const address = `data:${type};base64,${base64(bytes)}`
    made.set(file, address)
    return address
  }
}

function base64(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(letters)
}

/** The content of a chapter, reduced to elements without styles and handlers, in HTML syntax. */
function bodyOf(xhtml: string): string {
  const body = /<body\b[^<>]*>([\s\S]*?)(?:<\/body\s*>|$)/i.exec(xhtml)?.[1] ?? ''
  // Of SVG only the embedded images remain, such as that of a cover.
  const pictured = body
    .replace(/<\/?svg\b[^<>]*>|<!\[CDATA\[|\]\]>/gi, '')
    .replace(/<image\b[^<>]*?href\s*=\s*("[^"<>]*"|'[^'<>]*')[^<>]*>/gi, '<img src=$1 alt="">')
  const closed = pictured.replace(EMPTY_TAG, (whole, name: string, rest: string) =>
    VOID.has(name.toLowerCase()) ? whole : `<${name}${rest}></${name}>`,
  )
  return stripHtml(closed, ELEMENTS, ATTRIBUTES)
}
