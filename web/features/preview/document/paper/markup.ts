import createPurifier from 'dompurify'
import { pageConfig } from '../../../../lib/config.ts'

/** Where links and pictures of a document lead, seen from one of its parts. */
export interface Targets {
  /** Id of an element that a link leads to; `undefined` for one that leads out of the document, or nowhere. */
  idOf(link: string): string | undefined
  /** A picture as a `data:` address. */
  pictureOf(source: string): string | undefined
  /** The id that an element of this part gets. */
  ownId(id: string): string
}

/** What a document may not bring along, although it could do nothing with it: all that fetches, plays or asks. */
const FORBID_TAGS =
  'style form input button textarea select option datalist video audio source track picture map area dialog template'.split(
    ' ',
  )
const FORBID_ATTR = 'style srcset background poster longdesc ping action formaction xlink:href name for'.split(' ')
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i

/**
 * Markup from a document as it may stand in a frame without scripts (`PaperFrame`): only what is read, links within the
 * document or away from it, pictures that come along. It must have no styles or handlers on elements (`keepTags`):
 * browsers report those to the policy of the page already when they parse them.
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

/** Address of a document in a frame; fragments of it are places in the document. */
export const PAPER_ADDRESS = 'about:srcdoc'
