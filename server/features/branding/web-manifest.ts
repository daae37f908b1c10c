import type { Settings } from '../../../shared/api/settings.ts'
import type { Appearance } from './appearance.ts'
import type { ImageFacts } from './images.store.ts'

/** Colour of the window before the page has painted: `--canvas` of the light theme, or of the dark one where it is set. */
const BACKGROUND = { light: '#fbfaf7', dark: '#0d1116' }

/** Length that systems show below an icon. */
const SHORT_NAME = 12

/** Pixels that browsers require of the icon of an app. */
const SMALLEST_ICON = 144

const ICON_SIZES = ['192x192', '512x512'] as const

export interface WebManifestOptions {
  /** `''` or with a slash at the start. */
  baseURL: string
  branding: Settings['branding']
  appearance: Appearance
}

/** The description of the installable app (Web Application Manifest, W3C), with the host's own name, colour and icons. */
export function webManifest({ baseURL, branding, appearance }: WebManifestOptions): object {
  const name = branding.name || 'Filigree'
  return {
    id: `${baseURL}/`,
    name,
    ...([...name].length <= SHORT_NAME && { short_name: name }),
    start_url: `${baseURL}/files/`,
    scope: `${baseURL}/`,
    display: 'standalone',
    theme_color: appearance.frameColour,
    background_color: BACKGROUND[branding.theme === 'dark' ? 'dark' : 'light'],
    icons: iconsOf(`${baseURL}/static`, appearance),
    launch_handler: { client_mode: ['navigate-existing', 'auto'] },
    share_target: {
      action: `${baseURL}/share-target`,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
    },
  }
}

/** Whether systems install an app with this icon. */
const isLarge = ({ width, height }: ImageFacts) => width === 0 || Math.min(width, height) >= SMALLEST_ICON

/** The host's own icons are shown as they are; only the built-in one has the margins that masks need. */
function iconsOf(staticUrl: string, { files, version, uploaded }: Appearance): object[] {
  const own = uploaded.get('icon')
  if (own && isLarge(own)) {
    const sizes = own.width === 0 ? 'any' : `${own.width}x${own.height}`
    return [{ src: `${staticUrl}/branding/icon?v=${own.version}`, sizes, type: own.type, purpose: 'any' }]
  }
  const icon = (file: string, sizes: string, purpose: string) => ({
    src: `${staticUrl}/img/icons/${file}?v=${version}`,
    sizes,
    type: 'image/png',
    purpose,
  })
  const hasFile = files.has('img/icons/android-chrome-512x512.png')
  return [
    ...ICON_SIZES.map(size => icon(`android-chrome-${size}.png`, size, 'any')),
    ...(hasFile ? [] : [icon('maskable-512x512.png', '512x512', 'maskable')]),
  ]
}
