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

/** The document of `config export` and `config import` (http-api 19.2). */
export interface ConfigDocument {
  settings: Record<string, unknown>
  server: Record<string, unknown>
  auther: Record<string, unknown>
}

/**
 * @param key the signing key, encoded for the file's format
 * @param servedRoot the folder served last; used when `root` is not set
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

/** A mode in a document: a number, 0 for the default (http-api 15.5). */
const bitsOf = (text: string): number => (text === '' ? 0 : parseMode(text))

/** The inverse; the default mode is `''` as well. Only permission bits count, as in File Browser. */
function modeOf(name: 'fileMode' | 'dirMode', settings: Record<string, unknown>): string {
  const bits = (checked(z.nullish(z.uint32()), settings[name], `settings.${name}`) ?? 0) & 0o777
  return bits === 0 || bits === bitsOf(SETTINGS[name].default) ? '' : `0${bits.toString(8).padStart(3, '0')}`
}

/** The settings of the method in use (http-api 18). */
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

/** The settings of a new installation. */
export const NEW_PARTS: Parts = {
  settings: completeSettings({}),
  auth: AuthSettings.parse({}),
  server: ServerSettings.parse({}),
}

/** All names of a document, to restore the case of lower-case files. */
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
 * Reads a document of Filigree or File Browser. The key is ignored: each installation keeps its own.
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
