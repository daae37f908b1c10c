import * as z from 'zod/mini'
import type { OpenSettingName } from '../../../shared/api/diagnostics.ts'

const text = z._default(z.string().check(z.maxLength(4096)), '')
const isOn = z._default(z.boolean(), true)
const isOff = z._default(z.boolean(), false)

/**
 * How the host starts the server when flags, variables and files say nothing (http-api 15.6, with its names; an empty
 * text says nothing). What has no effect here is kept for the way back.
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
  /** Octal digits, as the flags take them; documents have these among the settings, as numbers. */
  fileMode: text,
  dirMode: text,
  enableThumbnails: isOn,
  resizePreview: isOn,
  /** Set by the host's own hand only, never by an import. */
  enableExec: isOff,
  typeDetectionByHeader: isOn,
  imageResolutionCalculation: isOn,
  authHook: text,
  tokenExpirationTime: text,
  /** As `enableExec`. */
  followExternalSymlinks: isOff,
  /** Open settings of the host that the contract does not know (decision 0063): texts by name. */
  kept: z._default(z.record(z.string(), z.string().check(z.maxLength(4096))), () => ({})),
})
export type ServerSettings = z.infer<typeof ServerSettings>

/** Settings of the host for which the contract has switches that say the opposite. */
const OPPOSITES = new Map<
  string,
  'enableThumbnails' | 'resizePreview' | 'typeDetectionByHeader' | 'imageResolutionCalculation'
>([
  ['disableThumbnails', 'enableThumbnails'],
  ['disablePreviewResize', 'resizePreview'],
  ['disableTypeDetectionByHeader', 'typeDetectionByHeader'],
  ['disableImageResolutionCalc', 'imageResolutionCalculation'],
])

/** What is kept for an open setting of the host; `''` for nothing. */
export function keptText(server: ServerSettings, name: OpenSettingName): string {
  const opposite = OPPOSITES.get(name)
  if (opposite) return server[opposite] ? '' : 'true'
  return name === 'tokenExpirationTime' ? server.tokenExpirationTime : (server.kept[name] ?? '')
}

/** The same with another text; `''` keeps nothing. */
export function withKeptText(server: ServerSettings, name: OpenSettingName, text: string): ServerSettings {
  const opposite = OPPOSITES.get(name)
  if (opposite) return { ...server, [opposite]: text !== 'true' }
  if (name === 'tokenExpirationTime') return { ...server, tokenExpirationTime: text }
  const { [name]: _, ...others } = server.kept
  return { ...server, kept: text === '' ? others : { ...others, [name]: text } }
}
