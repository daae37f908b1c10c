import * as z from 'zod/mini'
import type { OpenSettingName } from '../../../shared/api/diagnostics.ts'

const text = z._default(z.string().check(z.maxLength(4096)), '')
const isOn = z._default(z.boolean(), true)
const isOff = z._default(z.boolean(), false)

/**
 * How the host starts the server when flags, variables and files do not set it (http-api 15.6, with its names; an empty
 * text sets nothing). Settings without effect here are kept for exports.
 */
export const ServerSettings = z.object({
  root: text,
  baseURL: text,
  socket: text,
  tlsKey: text,
  tlsCert: text,
  port: text,
  address: text,
  log: text,
  /** Octal digits, as the flags take them; exports have these among the settings, as numbers. */
  fileMode: text,
  dirMode: text,
  enableThumbnails: isOn,
  resizePreview: isOn,
  /** Set on the host only, never by an import. */
  enableExec: isOff,
  typeDetectionByHeader: isOn,
  imageResolutionCalculation: isOn,
  authHook: text,
  tokenExpirationTime: text,
  /** As `enableExec`. */
  followExternalSymlinks: isOff,
  /** Other open settings of the host (decision 0063): texts by name. */
  kept: z._default(z.record(z.string(), z.string().check(z.maxLength(4096))), () => ({})),
})
export type ServerSettings = z.infer<typeof ServerSettings>

/** Host settings whose stored names mean the opposite. */
const OPPOSITES = new Map<
  string,
  'enableThumbnails' | 'resizePreview' | 'typeDetectionByHeader' | 'imageResolutionCalculation'
>([
  ['disableThumbnails', 'enableThumbnails'],
  ['disablePreviewResize', 'resizePreview'],
  ['disableTypeDetectionByHeader', 'typeDetectionByHeader'],
  ['disableImageResolutionCalc', 'imageResolutionCalculation'],
])

/** The stored value of an open host setting; `''` for none. */
export function keptText(server: ServerSettings, name: OpenSettingName): string {
  const opposite = OPPOSITES.get(name)
  if (opposite) return server[opposite] ? '' : 'true'
  return name === 'tokenExpirationTime' ? server.tokenExpirationTime : (server.kept[name] ?? '')
}

/** The same with another value; `''` removes it. */
export function withKeptText(server: ServerSettings, name: OpenSettingName, text: string): ServerSettings {
  const opposite = OPPOSITES.get(name)
  if (opposite) return { ...server, [opposite]: text !== 'true' }
  if (name === 'tokenExpirationTime') return { ...server, tokenExpirationTime: text }
  const { [name]: _, ...others } = server.kept
  return { ...server, kept: text === '' ? others : { ...others, [name]: text } }
}
