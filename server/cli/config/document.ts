import * as z from 'zod/mini'
import { SettingsInput } from '../../../shared/api/settings.ts'
import { parseMode } from '../../config/parse.ts'
import { SETTINGS } from '../../config/settings.ts'
import { AppError } from '../../errors.ts'
import { AuthSettings } from '../../features/settings/auth-settings.ts'
import { completeSettings } from '../../features/settings/complete.ts'
import { ServerSettings } from '../../features/settings/server-settings.ts'
import { checked } from '../check.ts'
import { checkParts, type Parts } from './parts.ts'

/** What `config export` writes and `config import` reads (http-api 19.2). */
export interface ConfigDocument {
  settings: Record<string, unknown>
  server: Record<string, unknown>
  auther: Record<string, unknown>
}

/**
 * @param key the bytes that sign tokens, in the form of the file's format
 * @param servedRoot the folder served last; told when none was set
 */
export function toDocument({ settings, auth, server }: Parts, key: unknown, servedRoot: string): ConfigDocument {
  const { method, logoutPage } = auth
  const { fileMode, dirMode, ...others } = server
  const modes = { fileMode: bitsOf(fileMode), dirMode: bitsOf(dirMode) }
  return {
    settings: { key, ...settings, ...modes, authMethod: method, logoutPage },
    server: { ...others, root: server.root || servedRoot },
    auther: toAuther(auth),
  }
}

/** A mode as documents write it: a number, 0 for the default (http-api 15.5). */
const bitsOf = (text: string): number => (text === '' ? 0 : parseMode(text))

/** The inverse, where the default mode is `''` as well. File Browser ignored all bits but permissions. */
function modeOf(name: 'fileMode' | 'dirMode', settings: Record<string, unknown>): string {
  const bits = (checked(z.nullish(z.uint32()), settings[name], `settings.${name}`) ?? 0) & 0o777
  return bits === 0 || bits === bitsOf(SETTINGS[name].default) ? '' : `0${bits.toString(8).padStart(3, '0')}`
}

/** The record of the method alone (http-api 18). */
function toAuther({ method, header, command, createUsers, recaptcha }: AuthSettings): Record<string, unknown> {
  switch (method) {
    case 'proxy':
      return { header, createUsers }
    case 'hook':
      return { command, createUsers }
    case 'json':
      return { recaptcha: recaptcha.secret === '' && recaptcha.key === '' ? null : recaptcha }
    case 'noauth':
      return {}
  }
}

/** What a new installation has. */
export const NEW_PARTS: Parts = {
  settings: completeSettings({}),
  auth: AuthSettings.parse({}),
  server: ServerSettings.parse({}),
}

/** All names that stand in a document, for files in which they are in lower case. */
export const DOCUMENT_NAMES = {
  settings: {
    ...NEW_PARTS.settings,
    key: '',
    authMethod: '',
    logoutPage: '',
    fileMode: 0,
    dirMode: 0,
    rules: [{ regexp: { raw: '' } }],
  },
  server: { ...NEW_PARTS.server, imageResolutionCal: true },
  auther: NEW_PARTS.auth,
}

const record = z.record(z.string(), z.unknown())
const Document = z.object({ settings: record, server: record, auther: z.nullish(record) })

/**
 * Reads a document, ours or an older installation's. The key is not looked at: each installation keeps its own.
 * @throws AppError `bad_request` naming the field
 */
export function fromDocument(content: unknown): Parts {
  if (typeof content !== 'object' || content === null || !('settings' in content) || !('server' in content)) {
    throw new AppError('bad_request', 'The file must hold settings and server, as config export writes them.')
  }
  const { settings, server, auther } = checked(Document, content, '')
  const { authMethod, logoutPage } = settings
  const auth = { ...auther, recaptcha: auther?.recaptcha ?? undefined, method: authMethod ?? 'json' }
  const imageResolutionCalculation = server.imageResolutionCalculation ?? server.imageResolutionCal
  const modes = { fileMode: modeOf('fileMode', settings), dirMode: modeOf('dirMode', settings) }
  return checkParts({
    settings: completeSettings(checked(SettingsInput, settings, 'settings')),
    auth: checked(AuthSettings, { ...auth, logoutPage: logoutPage || '/login' }, 'auther'),
    server: checked(ServerSettings, { ...server, ...modes, imageResolutionCalculation }, 'server'),
  })
}
