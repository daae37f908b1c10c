import type { FastifyRequest } from 'fastify'
import {
  type HostReason,
  type HostSetting,
  HostSettingInput,
  HostSettingsAnswer,
  isSaidOnHost,
  type SettingOrigin,
} from '../../../shared/api/diagnostics.ts'
import { shownDatabase } from '../../db/address.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { parameterOf, type Route, remark, sendStatus } from '../../routing/route.ts'
import { type ServerSettings, storedText, withStoredText } from '../settings/server-settings.ts'
import { changeServerSettings, readServerSettings } from '../settings/settings.store.ts'

/** A host setting as text, and its source. */
interface Written {
  from: SettingOrigin
  text: string
  where?: string
  secret?: boolean
  host?: HostReason
  words?: readonly string[]
  fallback: string
}

export interface HostSettingsDeps {
  db: Db
  config: { origins: Readonly<Record<string, Written>> }
  /** @throws AppError `bad_request` for a value with which a server would not start */
  checkSetting(name: string, text: string): void
}

/** The host settings: listed with their source, and changed where that is safe (docs/design/auth.md). */
export function hostSettingsRoutes({ db, config: { origins }, checkSetting }: HostSettingsDeps): Route[] {
  const keep = async (request: FastifyRequest, name: string, text: string) => {
    await changeServerSettings(db, server => withStoredText(server, name, text))
    remark(request, { target: text === '' ? name : `${name}=${text}` })
  }
  return [
    {
      method: 'GET',
      path: '/api/doctor/settings',
      access: 'admin',
      token: 'none',
      describes: {
        summary: 'List the host settings and the source of each',
        answers: {
          200: { text: 'All host settings; of several sources, the one with precedence.', schema: HostSettingsAnswer },
        },
      },
      async handler(): Promise<HostSetting[]> {
        const server = await readServerSettings(db)
        return Object.entries(origins).map(([name, written]) => toWire(name, written, server))
      },
    },
    {
      method: 'PUT',
      path: '/api/doctor/settings/:name',
      access: 'admin',
      token: 'none',
      records: 'settings.change',
      schema: HostSettingInput,
      describes: {
        summary: 'Change a host setting that the host itself does not set',
        path: 'The name of the setting.',
        answers: { 200: { text: 'Applies from the next start.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const name = changeable(request, origins)
        const { text } = request.body as HostSettingInput
        const { words } = origins[name] ?? {}
        if (words && !words.includes(text)) throw new AppError('bad_request', `text: is none of ${words.join(', ')}`)
        checkSetting(name, text)
        await keep(request, name, text)
        return sendStatus(reply, 200)
      },
    },
    {
      method: 'DELETE',
      path: '/api/doctor/settings/:name',
      access: 'admin',
      token: 'none',
      records: 'settings.change',
      describes: {
        summary: 'Reset a host setting that the host itself does not set',
        path: 'The name of the setting.',
        answers: { 200: { text: 'Applies from the next start.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        await keep(request, changeable(request, origins), '')
        return sendStatus(reply, 200)
      },
    },
  ]
}

/**
 * The setting that a request names.
 * @throws AppError `not_found`; `forbidden` for a setting that only the host can set, or that the host sets now
 */
function changeable(request: FastifyRequest, origins: HostSettingsDeps['config']['origins']): string {
  const name = parameterOf(request, 'name')
  const written = Object.hasOwn(origins, name) ? origins[name] : undefined
  if (!written) throw new AppError('not_found')
  remark(request, { target: name })
  if (written.host || isSaidOnHost(written)) throw new AppError('forbidden')
  return name
}

function toWire(name: string, written: Written, server: ServerSettings): HostSetting {
  const { from, text, where, secret, host, words, fallback } = written
  const shown = name === 'database' ? shownDatabase(text) : text
  const setting: HostSetting = {
    name,
    from,
    ...(where !== undefined && { where }),
    ...(!secret && { text: shown }),
  }
  if (host) return { ...setting, host }
  const kept = storedText(server, name)
  return { ...setting, default: fallback, ...(words && { words: [...words] }), ...(kept !== '' && { kept }) }
}
