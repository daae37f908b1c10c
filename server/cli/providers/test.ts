import { AppError } from '../../errors.ts'
import { guardedFetch } from '../../features/oidc/guarded-fetch.ts'
import type { Command } from '../command.ts'
import { hostOf } from '../open.ts'
import { printable } from '../print.ts'
import { demandProvider, describedBy, explain, USER_AGENT } from './common.ts'

export const command: Command = {
  usage: '<slug>',
  summary: 'Reads the description and the keys of an OpenID provider; signs in nobody',
  words: { least: 1, most: 1 },
  async run(given) {
    const config = await hostOf(given)
    const client = demandProvider(config, given.positionals[0] ?? '')
    const { settings } = client
    const found = await describedBy(client)
    const fetch = guardedFetch(new URL(settings.issuer), USER_AGENT)
    const answer = await fetch(found.jwks_uri ?? '').catch(explain)
    const { keys } = (await answer.json().catch(() => ({}))) as { keys?: unknown }
    if (!Array.isArray(keys)) throw new AppError('unavailable', 'The keys of the provider cannot be read.')
    const address = config.publicURL || 'https://<address of the server>'
    const lines = [
      ['Issuer', found.issuer],
      ['Sign-in', found.authorization_endpoint],
      ['Keys', String(keys.length)],
      ['UserInfo', found.userinfo_endpoint ?? 'none: claims come from the ID token alone'],
      ['Sign-out', found.end_session_endpoint ?? 'none'],
      ['Redirect address', `${address}/api/oidc/${settings.slug}/callback`],
      ['After signing out', `${address}/login?loggedout`],
      ['Back-channel logout', `${address}/api/oidc/${settings.slug}/backchannel-logout`],
    ]
    for (const [name = '', value = ''] of lines) console.log(`${name.padEnd(20)} ${printable(value)}`)
  },
}
