import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Settings, SettingsAnswer, SettingsInput } from '../../../shared/api/settings.ts'
import type { Db } from '../../db/schema.ts'
import { type Route, remark, sendStatus } from '../../route.ts'
import { checkSettings } from './checks.ts'
import { completeSettings } from './complete.ts'
import { readAuthSettings, readSettings, writeSettings } from './settings.store.ts'

/** Bytes of a settings body: rules and command lines need more than other calls. */
export const SETTINGS_BODY = 1024 * 1024

export interface SettingsDeps {
  db: Db
}

/** The instance's settings (contract 12); in force for the next request. */
export function settingsRoutes({ db }: SettingsDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/settings',
      access: 'admin',
      describes: {
        summary: 'Read the settings of this server',
        answers: { 200: { text: 'The settings.', schema: SettingsAnswer } },
      },
      async handler(): Promise<SettingsAnswer> {
        const { method } = await readAuthSettings(db)
        return { ...(await readSettings(db)), authMethod: method }
      },
    },
    {
      method: 'PUT',
      path: '/api/settings',
      access: 'admin',
      records: 'settings.change',
      schema: SettingsInput,
      bodyLimit: SETTINGS_BODY,
      describes: {
        summary: 'Replace the settings of this server',
        answers: { 200: { text: 'In force from now on.' } },
      },
      async handler(request: FastifyRequest, reply: FastifyReply) {
        const body = request.body as SettingsInput
        // Left-out defaults are no permissions at all, not those of a new installation.
        const settings = completeSettings({ ...body, defaults: body.defaults ?? {} })
        checkSettings(settings)
        remark(request, { target: changedIn(await readSettings(db), settings) })
        await writeSettings(db, settings)
        return sendStatus(reply, 200)
      },
    },
  ]
}

/** The names of what differs, for the audit log. */
function changedIn(before: Settings, after: Settings): string {
  const old = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  )
  return changed.map(([name]) => name).join(', ')
}
