import type { Appearance } from '../features/branding/appearance.ts'

export interface HeadOptions {
  appearance: Appearance
  staticUrl: string
  /** Nonce of the style element with the colours. */
  nonce: string
}

/** The host's branding in the head of a page: icons, theme colour and accent. */
export function headOf({ appearance, staticUrl, nonce }: HeadOptions): string {
  const at = (name: string) => escapeHtml(brandingUrl(staticUrl, appearance, name))
  const [ico, svg] = ['img/icons/favicon.ico', 'img/icons/favicon.svg'] as const
  // A browser would prefer the built-in SVG to the host's own image.
  const isMixed = appearance.files.has(ico) !== appearance.files.has(svg)
  const icons = [
    { name: ico, link: `<link rel="icon" href="${at(ico)}" sizes="32x32">` },
    { name: svg, link: `<link rel="icon" href="${at(svg)}" type="image/svg+xml">` },
  ]
  return [
    `<meta name="theme-color" content="${appearance.frameColour}">`,
    ...icons.filter(({ name }) => !isMixed || appearance.files.has(name)).map(({ link }) => link),
    `<link rel="apple-touch-icon" href="${at('img/icons/apple-touch-icon.png')}">`,
    ...(appearance.accentRule === '' ? [] : [`<style nonce="${nonce}">${appearance.accentRule}</style>`]),
  ].join('\n    ')
}

/** The host's own style sheet, last in a page; `''` if there is none. */
export function ownStyles({ appearance, staticUrl }: Pick<HeadOptions, 'appearance' | 'staticUrl'>): string {
  if (!appearance.files.has('custom.css')) return ''
  return `<link rel="stylesheet" href="${escapeHtml(brandingUrl(staticUrl, appearance, 'custom.css'))}">`
}

/** Path of a branding file, the host's own or the built-in one. */
export const brandingUrl = (staticUrl: string, { version }: Appearance, name: string): string =>
  `${staticUrl}/${name}?v=${version}`

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
