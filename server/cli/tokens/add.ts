import { TOKEN_SCOPES, TokenRequest, type TokenScope } from '../../../shared/api/tokens.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { AppError } from '../../errors.ts'
import { actingUser } from '../../features/groups/acting-user.ts'
import { readTokenRequest } from '../../features/tokens/token-request.ts'
import { Tokens } from '../../features/tokens/tokens.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { openFiles } from '../served-folder.ts'
import { demandUser } from '../users/common.ts'

const DAY = 86_400_000

export const command: Command = {
  usage: '<id|username>',
  summary: 'Makes an API token for a user and prints it, once',
  flags: [
    { flag: 'label', doc: 'What it is for, such as the name of the device.' },
    { flag: 'scope', doc: `What it may do, separated by commas: ${TOKEN_SCOPES.join(', ')}. read by default.` },
    { flag: 'folder', doc: "The only folder that it reaches, in the user's scope." },
    { flag: 'networks', doc: 'The only addresses or networks that may use it, separated by commas.' },
    { flag: 'days', doc: 'Days until it expires; it does not unless given.' },
  ],
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async (db, config) => {
      const user = await actingUser(db, await demandUser(db, given.positionals[0] ?? ''))
      const { flags } = given
      const request = TokenRequest.safeParse({
        label: flags.get('label') ?? '',
        scopes: scopesIn(flags.get('scope') ?? 'read'),
        folders: flags.has('folder') ? [flags.get('folder')] : [],
        networks: flags.get('networks')?.split(','),
        expires: expiryIn(flags.get('days')),
      })
      if (!request.success) throw new AppError('bad_request', 'Give a label of 1 to 64 characters with --label.')
      const files = await openFiles(config, db)
      const options = await readTokenRequest({ files, config }, user, request.data).catch(explain)
      const { secret } = await new Tokens({ db, cluster: openLocalCluster() }).create(user.id, options)
      console.log(secret)
    }),
}

function scopesIn(text: string): TokenScope[] {
  const scopes = text.split(',').map(word => TOKEN_SCOPES.find(scope => scope === word.trim()))
  if (!scopes.every(scope => scope !== undefined)) {
    throw new AppError('bad_request', `--scope: must be some of ${TOKEN_SCOPES.join(', ')}.`)
  }
  return scopes
}

function expiryIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new AppError('bad_request', '--days: must be a number of days.')
  return new Date(Date.now() + Number(text) * DAY).toISOString()
}

function explain(thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.code !== 'forbidden') throw thrown
  throw new AppError('forbidden', 'The scope admin needs an administrator, and the setting adminTokens.')
}
