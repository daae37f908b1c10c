import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { RewindSteps } from '../../files/rewind-plan.ts'
import { noteIn } from '../audit-note.ts'
import type { Arguments, Command } from '../command.ts'
import { printable } from '../print.ts'
import { DRY_RUN_FLAG, onHistory } from './common.ts'

export const command: Command = {
  usage: '<folder>',
  summary: 'Undoes what users changed in a folder since a time, also while the server runs',
  flags: [
    { flag: 'to', doc: 'The time, such as 2026-11-01T12:00:00Z.' },
    { ...DRY_RUN_FLAG, doc: 'Only counts what would be done.' },
  ],
  words: { least: 1, most: 1 },
  async run(given) {
    const to = timeIn(given)
    const folder = parsePath(given.positionals[0] ?? '')
    await onHistory(given, 'rewind', async ({ files, recording, db }) => {
      const plan = await files.rewind.plan(folder, to)
      if (given.flags.get('dry-run') === 'true') return printCounts(files, plan)
      const failed = await rewind(files, plan)
      await noteIn(db, `history rewind ${folder} --to ${new Date(to).toISOString()}`)
      console.log(`Undone: ${plan.items.length - failed} of ${plan.items.length}.`)
      if (recording.change !== undefined) console.log(`Change: ${recording.change}`)
    })
  },
}

function timeIn({ flags }: Arguments): number {
  const text = flags.get('to') ?? ''
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new AppError('bad_request', `--to: '${text}' is not a time.`)
  return time
}

async function printCounts(own: Files, plan: RewindSteps): Promise<void> {
  const { back, moved, contents, trashed, stay, stays } = await own.rewind.count(plan)
  console.log(`Back from the trash: ${back}`)
  console.log(`Moved back: ${moved}`)
  console.log(`Former content: ${contents}`)
  console.log(`To the trash: ${trashed}`)
  console.log(`Left as they are: ${stay}`)
  for (const { path, why } of stays) console.log(`  ${printable(path)}: ${why}`)
}

/** @returns how many items could not be undone */
async function rewind(own: Files, plan: RewindSteps): Promise<number> {
  let failed = 0
  for (const { step, ...item } of plan.items) {
    const { state, code } = await own.rewind.step(item, false)
    if (state !== 'failed') continue
    failed += 1
    console.error(`${printable(step.place)}: ${code}`)
  }
  return failed
}
