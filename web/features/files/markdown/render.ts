import createPurifier from 'dompurify'
import { Marked } from 'marked'
import { stripHtml } from '../../../lib/strip-html.ts'
import { type LinkBase, sourceOf, targetOf } from './targets.ts'

/** The elements allowed in rendered text; all others are dropped, with scripts and forms removed first. */
const ALLOWED_TAGS =
  'a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'.split(
    ' ',
  )
const ALLOWED_ATTR =
  'align alt checked colspan dir disabled height href lang open reversed rowspan scope src start title type width'.split(
    ' ',
  )

/** The attribute of a block of code that names its language. */
export const LANGUAGE = 'type'

const tags = new Set(ALLOWED_TAGS)
const attributes = new Set(ALLOWED_ATTR)
const markdown = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }) => stripHtml(text, tags, attributes),
    code: ({ text, lang = '' }) => `<pre><code ${LANGUAGE}="${escaped(lang)}">${escaped(text)}\n</code></pre>\n`,
  },
})

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)
}

/** Headings of a text rank below that of the page. */
const HEADING_BELOW = 1
const SMALL_HEADING_BELOW = 3

export interface RenderOptions extends LinkBase {
  /** Whether links may leave this instance (`DisableExternal`, http-api 14). */
  external: boolean
  /** Whether it is a short text below a heading of the third rank, in which a line break is one. */
  isSmall?: boolean
}

/**
 * Renders Markdown as passive elements: raw HTML in it is reduced to the same few elements, links lead to files of this
 * instance or away from it, and images come from the folder of the file, never from other hosts.
 */
export function renderMarkdown(text: string, options: RenderOptions): DocumentFragment {
  const purifier = createPurifier(window)
  purifier.addHook('afterSanitizeAttributes', node => settle(node, options))
  const html = markdown.parse(text, { breaks: options.isSmall ?? false }) as string
  const fragment = purifier.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  const below = options.isSmall ? SMALL_HEADING_BELOW : HEADING_BELOW
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6'))
    heading.replaceWith(lowered(heading, below))
  return fragment
}

function settle(node: Element, options: RenderOptions): void {
  if (node instanceof HTMLAnchorElement) settleLink(node, options)
  else if (node instanceof HTMLImageElement) settlePicture(node, options)
  else if (node instanceof HTMLInputElement) settleBox(node)
  else node.removeAttribute('src')
}

function settleLink(link: HTMLAnchorElement, options: RenderOptions): void {
  const given = link.getAttribute('href')
  const target = given ? targetOf(given, options) : undefined
  link.removeAttribute('href')
  if (!target || (target.kind === 'away' && !options.external)) return
  link.setAttribute('href', target.href)
  if (target.kind !== 'away') return
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
}

/** An external image would reveal the reader to its host; it becomes a link. */
function settlePicture(picture: HTMLImageElement, options: RenderOptions): void {
  const given = picture.getAttribute('src') ?? ''
  const source = sourceOf(given, options)
  picture.loading = 'lazy'
  if (source) {
    picture.setAttribute('src', source)
    return
  }
  const link = document.createElement('a')
  link.textContent = picture.alt || given
  link.setAttribute('href', given)
  settleLink(link, options)
  picture.replaceWith(link.hasAttribute('href') && !picture.closest('a') ? link : link.textContent)
}

/** Of all form controls only the check boxes of task lists remain, disabled. */
function settleBox(box: HTMLInputElement): void {
  box.disabled = true
  box.setAttribute('aria-label', box.checked ? '☑' : '☐')
  if (box.type !== 'checkbox') box.remove()
}

function lowered(heading: Element, below: number): Element {
  const level = Math.min(6, Number(heading.tagName.slice(1)) + below)
  const lower = document.createElement(`h${level}`)
  lower.append(...heading.childNodes)
  return lower
}

/** The fragment of a heading: lower case, hyphens for spaces, no punctuation. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
