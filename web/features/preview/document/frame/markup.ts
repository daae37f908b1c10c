import createPurifier from 'dompurify'
import { pageConfig } from '../../../../lib/config.ts'

/** Resolves links and images of a document, relative to one of its parts. */
export interface Targets {
  /** Id of a link's target element; `undefined` for a link that leaves the document, or has no target. */
  idOf(link: string): string | undefined
  /** An image as a `data:` URL. */
  pictureOf(source: string): string | undefined
  /** The id given to an element of this part. */
  ownId(id: string): string
}

/** Elements removed from documents even though they would be inert: all that fetch, play or prompt. */
const FORBID_TAGS =
  'style form input button textarea select option datalist video audio source track picture map area dialog template'.split(
    ' ',
  )
const FORBID_ATTR = 'style srcset background poster longdesc ping action formaction xlink:href name for'.split(' ')
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i

/**
 * Prepares markup of a document for a frame without scripts (`DocumentFrame`): readable content, links within the document
 * or away from it, embedded images. Elements must have no styles or handlers (`stripHtml`): browsers report those to the
 * page's policy at parse time.
 */
export function cleanMarkup(html: string, targets: Targets): string {
  const purifier = createPurifier(window)
  purifier.addHook('afterSanitizeAttributes', element => settle(element, targets))
  return purifier.sanitize(html, {
    USE_PROFILES: { html: true, mathMl: true },
    FORBID_TAGS,
    FORBID_ATTR,
    ALLOW_DATA_ATTR: false,
  })
}

function settle(element: Element, targets: Targets): void {
  const { id } = element
  if (id) element.id = targets.ownId(id)
  const source = element.getAttribute('src')
  if (source !== null) {
    element.removeAttribute('src')
    const picture = PICTURE.test(source) ? source : targets.pictureOf(source)
    if (picture !== undefined && element instanceof HTMLImageElement) element.setAttribute('src', picture)
  }
  const link = element.getAttribute('href')
  if (link === null) return
  element.removeAttribute('href')
  if (element instanceof HTMLAnchorElement) settleLink(element, link, targets)
}

function settleLink(element: HTMLAnchorElement, link: string, { idOf }: Targets): void {
  element.removeAttribute('target')
  const away = /^(?:https?|mailto):/i.test(link) ? URL.parse(link)?.href : undefined
  if (away !== undefined) {
    if (pageConfig.DisableExternal) return
    element.setAttribute('href', away)
    element.target = '_blank'
    element.rel = 'noopener noreferrer nofollow'
    return
  }
  const id = idOf(link)
  if (id !== undefined) element.setAttribute('href', `${PAPER_ADDRESS}#${encodeURIComponent(id)}`)
}

/** URL of a document in a frame; its fragments are places in the document. */
export const PAPER_ADDRESS = 'about:srcdoc'
