import type { Handover } from '../../../shared/api/handovers.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { handOver, handOverInPlace } from '../../features/shares/handover.ts'
import type { Command } from '../command.ts'
import { ROOT_FLAG } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { inWholeFolder, withHistory } from '../served-folder.ts'
import { demandUser } from './common.ts'

export const command: Command = {
  usage: '<id|username> <id|username>',
  summary: 'Hands the links and shares of a user over to another user, and the files on request',
  flags: [
    { flag: 'move', boolean: true, doc: 'Moves the files of the user to a folder of the other one; else they stay.' },
    ROOT_FLAG,
  ],
  words: { least: 2, most: 2 },
  changes: true,
  run: given =>
    withDb(given, async (db, config) => {
      const [leaving = '', staying = ''] = given.positionals
      const [from, to] = [await demandUser(db, leaving), await demandUser(db, staying)]
      const who = { from: from.id, to: to.id }
      const isMoving = given.flags.get('move') === 'true'
      const { folder, left } = await (isMoving ? moving(config, db, who) : inPlace(db, who)).catch(explain)
      console.log('handed over')
      if (folder !== undefined) console.log(`the files are in ${printable(folder)} of ${printable(to.username)}`)
      if (left > 0) console.log(`${left} lead to files that the other user does not have, and stay`)
    }),
}

interface Who {
  from: number
  to: number
}

const inPlace = (db: Db, who: Who): Promise<Handover> => handOverInPlace({ db, cluster: openLocalCluster() }, who)

const moving = (config: Config, db: Db, who: Who): Promise<Handover> =>
  withHistory(config, db, ({ files, cluster }) =>
    handOver({ db, cluster, files }, inWholeFolder(), { ...who, move: true }),
  )

function explain(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'bad_request') throw error
  if (error.message.startsWith('move:'))
    throw new AppError(
      'bad_request',
      'The files cannot be moved: the user has no folder, or shares it with another user.',
    )
  throw new AppError('bad_request', 'The new owner must be another user, who is allowed to share.')
}
