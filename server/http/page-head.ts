import { shownName } from '../../shared/bytes.ts'
import type { Appearance } from '../features/branding/appearance.ts'
import type { ImageFacts } from '../features/branding/images.store.ts'

export interface HeadOptions {
  appearance: Appearance
  baseURL: string
  staticUrl: string
  /** Nonce of the style element with the colours. */
  nonce: string
  /** The name of what a share link shares, on its page. */
  shared: string | undefined
}

/**
 * The host's branding in the head of a page: icons, theme colour and accent; for share links also what messengers show.
 * @param name of the instance
 */
export function headOf({ appearance, baseURL, staticUrl, nonce, shared }: HeadOptions, name: string): string {
  const at = (name: string) => escapeHtml(brandingUrl(staticUrl, appearance, name))
  const [ico, svg] = ['img/icons/favicon.ico', 'img/icons/favicon.svg'] as const
  // A browser would prefer the built-in SVG to the host's own image.
  const isMixed = appearance.files.has(ico) !== appearance.files.has(svg)
  const uploaded = appearance.uploaded.get('icon')
  const own = uploaded && escapeHtml(uploadedUrl(staticUrl, uploaded))
  const homeIcon = own && uploaded.type === 'image/png' ? own : at('img/icons/apple-touch-icon.png')
  const icons = [
    { name: ico, link: `<link rel="icon" href="${at(ico)}" sizes="32x32">` },
    { name: svg, link: `<link rel="icon" href="${at(svg)}" type="image/svg+xml">` },
  ]
  return [
    `<meta name="theme-color" content="${appearance.frameColour}">`,
    ...(uploaded
      ? [`<link rel="icon" href="${own}" type="${uploaded.type}">`]
      : icons.filter(({ name }) => !isMixed || appearance.files.has(name)).map(({ link }) => link)),
    // An authenticating proxy in front wants its cookies.
    `<link rel="manifest" href="${escapeHtml(baseURL)}/manifest.webmanifest" crossorigin="use-credentials">`,
    `<link rel="apple-touch-icon" href="${homeIcon}">`,
    ...(shared === undefined ? [] : openGraph(shared, name)),
    ...(appearance.accentRule === '' ? [] : [`<style nonce="${nonce}">${appearance.accentRule}</style>`]),
  ].join('\n    ')
}

/** The tags of the Open Graph protocol (ogp.me). */
function openGraph(shared: string, name: string): string[] {
  const facts = { type: 'website', site_name: name, title: shownName(shared) }
  return Object.entries(facts).map(
    ([property, content]) => `<meta property="og:${property}" content="${escapeHtml(content)}">`,
  )
}

/** The host's own style sheet, last in a page; `''` if there is none. */
export function ownStyles({ appearance, staticUrl }: Pick<HeadOptions, 'appearance' | 'staticUrl'>): string {
  if (!appearance.files.has('custom.css')) return ''
  return `<link rel="stylesheet" href="${escapeHtml(brandingUrl(staticUrl, appearance, 'custom.css'))}">`
}

/** Path of a branding file, the host's own or the built-in one. */
export const brandingUrl = (staticUrl: string, { version }: Appearance, name: string): string =>
  `${staticUrl}/${name}?v=${version}`

/** Path of an uploaded image. */
export const uploadedUrl = (staticUrl: string, { name, version }: Pick<ImageFacts, 'name' | 'version'>): string =>
  `${staticUrl}/branding/${name}?v=${version}`

/** The logo of the host; `''` for the product's. */
export function logoUrl(staticUrl: string, appearance: Appearance): string {
  const uploaded = appearance.uploaded.get('logo')
  if (uploaded) return uploadedUrl(staticUrl, uploaded)
  return appearance.files.has('img/logo.svg') ? brandingUrl(staticUrl, appearance, 'img/logo.svg') : ''
}

/** The picture of the sign-in page; `''` if there is none. */
export function pictureUrl(staticUrl: string, appearance: Appearance): string {
  const uploaded = appearance.uploaded.get('picture')
  if (uploaded) return uploadedUrl(staticUrl, uploaded)
  const file = PICTURES.find(name => appearance.files.has(name))
  return file === undefined ? '' : brandingUrl(staticUrl, appearance, file)
}

const PICTURES = ['img/login.jpg', 'img/login.webp', 'img/login.png'] as const

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
