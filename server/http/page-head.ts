import type { Look } from '../features/branding/look.ts'

export interface HeadOptions {
  look: Look
  staticUrl: string
  /** Nonce of the style element with the colours. */
  nonce: string
}

/** The host's branding in the head of a page: icons, theme colour and accent. */
export function headOf({ look, staticUrl, nonce }: HeadOptions): string {
  const at = (name: string) => escapeHtml(brandingUrl(staticUrl, look, name))
  const [ico, svg] = ['img/icons/favicon.ico', 'img/icons/favicon.svg'] as const
  // A browser would prefer the built-in SVG to the host's own image.
  const isMixed = look.files.has(ico) !== look.files.has(svg)
  const icons = [
    { name: ico, link: `<link rel="icon" href="${at(ico)}" sizes="32x32">` },
    { name: svg, link: `<link rel="icon" href="${at(svg)}" type="image/svg+xml">` },
  ]
  return [
    `<meta name="theme-color" content="${look.frameColour}">`,
    ...icons.filter(({ name }) => !isMixed || look.files.has(name)).map(({ link }) => link),
    `<link rel="apple-touch-icon" href="${at('img/icons/apple-touch-icon.png')}">`,
    ...(look.accentRule === '' ? [] : [`<style nonce="${nonce}">${look.accentRule}</style>`]),
  ].join('\n    ')
}

/** The host's own style sheet, last in a page; `''` if there is none. */
export function ownStyles({ look, staticUrl }: Pick<HeadOptions, 'look' | 'staticUrl'>): string {
  if (!look.files.has('custom.css')) return ''
  return `<link rel="stylesheet" href="${escapeHtml(brandingUrl(staticUrl, look, 'custom.css'))}">`
}

/** Path of a branding file, the host's own or the built-in one. */
export const brandingUrl = (staticUrl: string, { version }: Look, name: string): string =>
  `${staticUrl}/${name}?v=${version}`

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
