import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Settings, SettingsAnswer, SettingsInput } from '../../../shared/api/settings.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { etagOf, namesVersion } from '../../responses/conditions.ts'
import { type Route, remark, sendStatus } from '../../routing/route.ts'
import { checkSettings } from './checks.ts'
import { completeSettings } from './complete.ts'
import { readAuthSettings, readSettingsAsStored, replaceSettings } from './settings.store.ts'

/** Bytes of a settings body: rules and command lines need more than other routes. */
export const SETTINGS_BODY = 1024 * 1024

export interface SettingsDeps {
  db: Db
  cluster: Cluster
}

/** The instance's settings (http-api 12); they apply from the next request. */
export function settingsRoutes({ db, cluster }: SettingsDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/settings',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Read the settings of this server',
        answers: {
          200: { text: 'The settings.', schema: SettingsAnswer, headers: { ETag: 'Their version, for `If-Match`.' } },
        },
      },
      async handler(_request, reply): Promise<SettingsAnswer> {
        const { method } = await readAuthSettings(db)
        const { settings, text } = await readSettingsAsStored(db)
        reply.header('ETag', versionOf(text))
        return { ...settings, authMethod: method }
      },
    },
    {
      method: 'PUT',
      path: '/api/settings',
      access: 'admin',
      token: 'admin',
      records: 'settings.change',
      schema: SettingsInput,
      bodyLimit: SETTINGS_BODY,
      describes: {
        summary: 'Replace the settings of this server',
        headers: { 'If-Match': 'The version that may be replaced.' },
        answers: { 200: { text: 'They apply from now on.' } },
        refuses: [412],
      },
      async handler(request: FastifyRequest, reply: FastifyReply) {
        const body = request.body as SettingsInput
        // Missing defaults mean no permissions at all, not those of a new installation.
        const settings = completeSettings({ ...body, defaults: body.defaults ?? {} })
        checkSettings(settings)
        remark(request, { target: await replaceExpected(db, settings, request.headers['if-match']) })
        cluster.publish('settings.changed', {})
        return sendStatus(reply, 200)
      },
    },
  ]
}

/** Storing the same settings again does not change the version. */
const versionOf = (text = '') => etagOf(createHash('sha256').update(text).digest('base64url'))

/**
 * Stores settings, with `If-Match` only over the expected version.
 * @returns the names of the changed settings
 * @throws AppError `precondition_failed`
 */
async function replaceExpected(db: Db, settings: Settings, expected = '*'): Promise<string> {
  for (;;) {
    const before = await readSettingsAsStored(db)
    if (!namesVersion(expected, versionOf(before.text), { weakly: true })) throw new AppError('precondition_failed')
    if (await replaceSettings(db, before.text, settings)) return changedIn(before.settings, settings)
  }
}

/** The names of the changed settings, for the audit log. */
function changedIn(before: Settings, after: Settings): string {
  const old = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  )
  return changed.map(([name]) => name).join(', ')
}
