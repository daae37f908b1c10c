import * as z from 'zod/mini'

const text = z._default(z.string().check(z.maxLength(4096)), '')
const isOn = z._default(z.boolean(), true)
const isOff = z._default(z.boolean(), false)

/**
 * How the host starts the server when flags, variables and files say nothing (contract 15.6, with its names; an empty
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
})
export type ServerSettings = z.infer<typeof ServerSettings>
