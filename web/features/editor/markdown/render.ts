import createPurifier from 'dompurify'
import { Marked } from 'marked'
import { keepTags } from '../../../lib/strip-html.ts'
import { type Ground, sourceOf, targetOf } from './targets.ts'

/** What a rendered text may consist of; everything else is left out, and what scripts and forms are made of first. */
const ALLOWED_TAGS =
  'a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'.split(
    ' ',
  )
const ALLOWED_ATTR =
  'align alt checked colspan dir disabled height href lang open reversed rowspan scope src start title type width'.split(
    ' ',
  )

const tags = new Set(ALLOWED_TAGS)
const attributes = new Set(ALLOWED_ATTR)
const markdown = new Marked({
  gfm: true,
  async: false,
  renderer: { html: ({ text }) => keepTags(text, tags, attributes) },
})

/** Headings of a text stand below that of the page. */
const HEADING_BELOW = 1

export interface RenderOptions extends Ground {
  /** Whether links may leave this instance (`DisableExternal`, http-api 14). */
  external: boolean
}

/**
 * Markdown as elements that can do nothing but be read: raw HTML in it is cut down to the same few elements, links lead to
 * files of this instance or away from it, pictures come from beside the file and never from elsewhere.
 */
export function renderMarkdown(text: string, options: RenderOptions): DocumentFragment {
  const purifier = createPurifier(window)
  purifier.addHook('afterSanitizeAttributes', node => settle(node, options))
  const html = markdown.parse(text) as string
  const fragment = purifier.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) heading.replaceWith(lowered(heading))
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

/** A picture from elsewhere would tell its host who reads this; it becomes a link to it. */
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

/** Of all fields only the ticks of lists are left, to be looked at. */
function settleBox(box: HTMLInputElement): void {
  box.disabled = true
  box.setAttribute('aria-label', box.checked ? '☑' : '☐')
  if (box.type !== 'checkbox') box.remove()
}

function lowered(heading: Element): Element {
  const level = Math.min(6, Number(heading.tagName.slice(1)) + HEADING_BELOW)
  const lower = document.createElement(`h${level}`)
  lower.append(...heading.childNodes)
  return lower
}

/** How the heading of a fragment is written in links: small letters, hyphens for spaces, no punctuation. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
