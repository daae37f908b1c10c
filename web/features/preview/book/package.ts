import { UnreadableError } from '../document/unreadable.ts'
import { attribute, opened, tokensOf } from '../document/xml.ts'
import { type Parts, textOf } from '../document/zip.ts'

/** A part of a book in reading order. */
export interface Chapter {
  /** Name of its file in the archive. */
  file: string
}

/** A heading in the table of contents. */
export interface BookHeading {
  /** Its index in the table. */
  id: string
  title: string
  /** Depth, from 0. */
  level: number
  /** Its target, as a name of a file in the archive with a fragment. */
  target: string
}

/** An e-book as described by its package document (EPUB 3.3, 5). */
export interface Book {
  chapters: readonly Chapter[]
  headings: readonly BookHeading[]
  /** Names of its style sheets. */
  styles: readonly string[]
  language: string
}

interface Item {
  file: string
  type: string
  properties: string
}

/** Font obfuscation methods, which books without DRM use, too. */
const HIDDEN_FONTS = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/

/** @throws UnreadableError */
export function readPackage(parts: Parts): Book {
  if (isProtected(textOf(parts, 'META-INF/encryption.xml') ?? '')) throw new UnreadableError('encrypted')
  const [root] = opened(textOf(parts, 'META-INF/container.xml') ?? '', 'rootfile')
  const file = (root && attribute(root, 'full-path')) ?? ''
  const xml = textOf(parts, file)
  if (xml === undefined) throw new UnreadableError('damaged')
  const items = itemsOf(xml, file)
  const chapters = [...opened(xml, 'itemref')]
    .filter(token => attribute(token, 'linear') !== 'no')
    .flatMap(token => items.get(attribute(token, 'idref') ?? '') ?? [])
    .filter(item => item.file in parts && /html/.test(item.type))
  if (chapters.length === 0) throw new UnreadableError('damaged')
  const all = [...items.values()]
  return {
    chapters,
    headings: headingsOf(parts, all),
    styles: all.filter(({ type }) => type === 'text/css').map(item => item.file),
    language: /<dc:language[^>]*>\s*([^<\s]+)/.exec(xml)?.[1] ?? '',
  }
}

/** The file that a link names, relative to another, with the fragment if there is one. */
export function resolve(link: string, from: string): string {
  const url = URL.parse(link, `https://book/${from.split('/').map(encodeURIComponent).join('/')}`)
  if (url?.host !== 'book') return ''
  return decoded(url.pathname.slice(1)) + decoded(url.hash)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isProtected(encryption: string): boolean {
  return [...opened(encryption, 'EncryptionMethod')].some(
    token => !HIDDEN_FONTS.test(attribute(token, 'Algorithm') ?? ''),
  )
}

function itemsOf(xml: string, from: string): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>()
  for (const token of opened(xml, 'item')) {
    items.set(attribute(token, 'id') ?? '', {
      file: resolve(attribute(token, 'href') ?? '', from),
      type: attribute(token, 'media-type') ?? '',
      properties: attribute(token, 'properties') ?? '',
    })
  }
  return items
}

function headingsOf(parts: Parts, items: readonly Item[]): BookHeading[] {
  const nav = items.find(({ properties }) => /\bnav\b/.test(properties))
  const list = nav && textOf(parts, nav.file)
  if (nav && list !== undefined) return headingsOfList(list, nav.file)
  const ncx = items.find(({ type }) => type === 'application/x-dtbncx+xml')
  return ncx ? headingsOfNcx(textOf(parts, ncx.file) ?? '', ncx.file) : []
}

/** The table of contents in the navigation document (EPUB 3.3, 7.4.2). */
function headingsOfList(xml: string, file: string): BookHeading[] {
  const headings: BookHeading[] = []
  let level = -1
  let inContents = false
  let link: string | undefined
  let title = ''
  for (const token of tokensOf(xml)) {
    const { kind, name } = token
    if (name === 'nav') inContents = kind === 'open' && /\btoc\b/.test(attribute(token, 'type') ?? '')
    if (!inContents) continue
    if (kind === 'text') title += token.content
    else if (name === 'ol') level += kind === 'open' ? 1 : -1
    else if (name === 'a' && kind === 'open') {
      link = attribute(token, 'href') ?? ''
      title = ''
    } else if (name === 'a' && link !== undefined)
      headings.push(headingOf(headings.length, title, level, resolve(link, file)))
  }
  return headings
}

/** The table of contents in the older format (OPF 2.0.1, 2.4.1). */
function headingsOfNcx(xml: string, file: string): BookHeading[] {
  const headings: BookHeading[] = []
  let level = -1
  let title = ''
  for (const token of tokensOf(xml)) {
    const { kind, name } = token
    if (kind === 'text') title += token.content
    else if (name === 'navPoint') level += kind === 'open' ? 1 : -1
    else if (name === 'navLabel' && kind === 'open') title = ''
    else if (name === 'content' && kind === 'open') {
      headings.push(headingOf(headings.length, title, level, resolve(attribute(token, 'src') ?? '', file)))
    }
  }
  return headings
}

function headingOf(index: number, title: string, level: number, target: string): BookHeading {
  return { id: String(index), title: title.replace(/\s+/g, ' ').trim(), level: Math.max(0, level), target }
}
