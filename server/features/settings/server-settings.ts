import * as z from 'zod/mini'

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
  /** Other open settings of the host (docs/design/auth.md): texts by name. */
  kept: z._default(z.record(z.string(), z.string().check(z.maxLength(4096))), () => ({})),
})
export type ServerSettings = z.infer<typeof ServerSettings>

const DEFAULTS = ServerSettings.parse({})

type Field = Exclude<keyof ServerSettings, 'kept' | 'authHook'>

/** The fields of settings of the host, by their names; other open settings are in `kept`. */
export const SERVER_FIELDS: Readonly<Record<string, Field>> = {
  root: 'root',
  baseURL: 'baseURL',
  socket: 'socket',
  key: 'tlsKey',
  cert: 'tlsCert',
  port: 'port',
  address: 'address',
  log: 'log',
  fileMode: 'fileMode',
  dirMode: 'dirMode',
  disableThumbnails: 'enableThumbnails',
  disablePreviewResize: 'resizePreview',
  disableExec: 'enableExec',
  disableTypeDetectionByHeader: 'typeDetectionByHeader',
  disableImageResolutionCalc: 'imageResolutionCalculation',
  tokenExpirationTime: 'tokenExpirationTime',
  followExternalSymlinks: 'followExternalSymlinks',
}

/** Whether the field of a setting means the opposite. */
export const isOpposite = (name: string): boolean => name.startsWith('disable')

/** The stored value of a host setting, as its flag takes it; `''` for none. */
export function storedText(server: ServerSettings, name: string): string {
  const field = SERVER_FIELDS[name]
  if (field === undefined) return server.kept[name] ?? ''
  const value = server[field]
  if (value === DEFAULTS[field]) return ''
  return String(typeof value === 'boolean' ? value !== isOpposite(name) : value)
}

/** The same with another value; `''` removes it. */
export function withStoredText(server: ServerSettings, name: string, text: string): ServerSettings {
  const field = SERVER_FIELDS[name]
  if (field !== undefined) {
    const value = typeof server[field] === 'boolean' ? (text === 'true') !== isOpposite(name) : text
    return { ...server, [field]: text === '' ? DEFAULTS[field] : value }
  }
  const { [name]: _, ...others } = server.kept
  return { ...server, kept: text === '' ? others : { ...others, [name]: text } }
}
