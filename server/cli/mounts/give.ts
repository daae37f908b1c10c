import { randomBytes } from 'node:crypto'
import { GIVEN_MOUNT_RIGHTS, type GivenMountRight, MOUNT_RIGHTS } from '../../../shared/api/mounts.ts'
import { AppError } from '../../errors.ts'
import { giveMount } from '../../features/groups/mounts.store.ts'
import { futureTime } from '../../lib/future-time.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { demandMount, SUBJECT_FLAGS, subjectIn } from './common.ts'

export const command: Command = {
  usage: '<name>',
  summary: 'Gives a mount to a user or a group, or changes what they may do in it and until when',
  flags: [
    ...SUBJECT_FLAGS,
    { flag: 'rights', doc: `Of ${GIVEN_MOUNT_RIGHTS.join(', ')}, separated by commas; or all. Default: download.` },
    { flag: 'expires', doc: 'When it ends, such as 2030-12-31T18:00:00Z. Default: never.' },
  ],
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const { id: mount } = await demandMount(db, given.positionals[0] ?? '')
      const to = await subjectIn(db, given)
      const rights = rightsIn(given.flags.get('rights') ?? 'download')
      const expiresAt = futureTime(given.flags.get('expires') ?? null)
      await giveMount(db, { id: randomBytes(12).toString('base64url'), mount, to, rights, expiresAt }, Date.now())
      console.log('given')
    }),
}

function rightsIn(text: string): GivenMountRight[] {
  if (text === 'all') return [...MOUNT_RIGHTS]
  const words = new Set(text.split(',').map(word => word.trim()))
  const rights = GIVEN_MOUNT_RIGHTS.filter(right => words.has(right))
  if (rights.length === words.size) return rights
  throw new AppError('bad_request', `The rights are ${GIVEN_MOUNT_RIGHTS.join(', ')}, or all.`)
}
