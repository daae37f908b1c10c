import { sql } from 'kysely'
import type { FilePath } from '../../shared/path.ts'
import { isAtOrBelow } from '../db/path-columns.ts'
import type { Db } from '../db/schema.ts'
import type { OwnSteps, Recording, Rewound, Step, StepRef, TimedStep } from '../files/change-records.ts'
import { toStep } from './change-queries.store.ts'
import { changeOfAction, changeStep, clearUndoneBy, countUndoable, setUndoneBy } from './changes.store.ts'

/** Steps that acted at a path or below it after a time, in the order in which they were done. */
export async function stepsAfter(db: Db, time: number, under: FilePath, limit: number): Promise<TimedStep[]> {
  const rows = await db
    .selectFrom('change_steps as s')
    .innerJoin('changes as c', 'c.id', 's.change')
    .leftJoin('audit as a', 'a.id', 's.audit')
    .selectAll('s')
    .select(['c.ended_at', 'c.undoes', 'a.at as audited_at'])
    .where('c.ended_at', '>', time)
    // What expired had left its place before.
    .where('c.kind', '!=', 'expire')
    .where('s.kind', '!=', 'link')
    .where(sql<boolean>`coalesce(a.at, c.ended_at) > ${time}`)
    .$if(under !== '/', query =>
      query.where(eb => eb.or([isAtOrBelow(db, 's.place', under), isAtOrBelow(db, 's.target', under)])),
    )
    .orderBy('s.change')
    .orderBy('s.position')
    .limit(limit)
    .execute()
  let last: TimedStep | undefined
  const steps = rows.map(row => {
    const endedAt = Number(row.ended_at)
    const at = row.audited_at === null ? endedAt : Number(row.audited_at)
    // Rows of the audit log expire, but the steps of a change stay in order.
    const step: TimedStep = {
      ...toStep(row),
      endedAt,
      at: last?.change === row.change ? Math.max(last.at, at) : at,
      ...(row.undoes !== null && { undoes: row.undoes }),
      ...(row.rewound_by !== null && { rewound: { by: row.rewound_by, at: row.rewound_at ?? 0 } }),
    }
    last = step
    return step
  })
  return steps.sort((a, b) => a.at - b.at || compare(a.change, b.change) || a.position - b.position)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The steps of the change of a recording. */
export function ownSteps(db: Db, recording: Recording): OwnSteps {
  const steps = async () => {
    const change = recording.change ?? (await changeOfAction(db, recording)) ?? ''
    return db.selectFrom('change_steps').where('change', '=', change).orderBy('position', 'desc')
  }
  return {
    async stampOf(identity) {
      const row = await (await steps())
        .select('stamp')
        .where('made', '=', identity)
        .where('kind', 'in', ['make', 'replace', 'restore'])
        .executeTakeFirst()
      return row?.stamp ?? undefined
    },
    async keptOf({ change, position }) {
      const restored = await db
        .selectFrom('change_steps')
        .select('rewound_at')
        .where('change', '=', change)
        .where('position', '=', position)
        .executeTakeFirst()
      const row = await (await steps())
        .select('kept')
        .where('position', '=', restored?.rewound_at ?? -1)
        .where('kind', '=', 'trash')
        .executeTakeFirst()
      return row?.kept ?? undefined
    },
    async next() {
      const row = await (await steps()).select('position').executeTakeFirst()
      return (row?.position ?? -1) + 1
    },
  }
}

/** Notes that rewinding a folder undid some steps. @param by the id of its change */
export async function noteRewound(db: Db, by: string, { steps, at }: Rewound): Promise<void> {
  for (const step of steps) {
    if (!(await changeStep(db, step, ['done', 'undone'], { rewound_by: by, rewound_at: at }))) continue
    await countUndoable(db, step.change, -1)
    await setUndoneBy(db, step.change, by)
    await flipReverted(db, step, 'undone')
  }
}

/** Where a step of an undo was undone, the one that it had undone is done again; and so on. @param state of the first */
async function flipReverted(db: Db, first: StepRef, state: 'done' | 'undone'): Promise<void> {
  let [step, isDone] = [await revertedBy(db, first), state === 'undone']
  while (step) {
    const changed = await changeStep(db, step, isDone ? ['undone', 'done'] : ['done', 'undone'])
    if (changed) await countUndoable(db, step.change, isDone ? 1 : -1)
    step = await revertedBy(db, step)
    isDone = !isDone
  }
}

function revertedBy(db: Db, { change, position }: StepRef): Promise<StepRef | undefined> {
  return db
    .selectFrom('change_steps as by')
    .innerJoin('changes as c', 'c.id', 'by.change')
    .innerJoin('change_steps as s', join =>
      join.onRef('s.change', '=', 'c.undoes').onRef('s.position', '=', 'by.reverts'),
    )
    .select(['s.change', 's.position'])
    .where('by.change', '=', change)
    .where('by.position', '=', position)
    .executeTakeFirst()
}

/**
 * A step of a rewinding was undone: what it had undone is done again.
 * @param latest what was done for that
 */
export async function noteDoneAgain(db: Db, { change: by, position }: StepRef, latest: readonly Step[]): Promise<void> {
  const { at } = await db
    .selectFrom('change_steps')
    .select(({ fn }) => fn.max('rewound_at').as('at'))
    .where('rewound_by', '=', by)
    .where('rewound_at', '<=', position)
    .executeTakeFirstOrThrow()
  if (at === null) return
  const steps = await db
    .selectFrom('change_steps')
    .select(['change', 'position', 'kind'])
    .where('rewound_by', '=', by)
    .where('rewound_at', '=', at)
    .orderBy('change', 'desc')
    .orderBy('position', 'desc')
    .execute()
  for (const [index, step] of steps.entries()) {
    const now = index === 0 ? whatIsNow(step.kind, latest) : {}
    if (!(await changeStep(db, step, ['undone', 'done'], { ...now, rewound_by: null, rewound_at: null }))) continue
    await countUndoable(db, step.change, 1)
    await clearUndoneBy(db, step.change)
    await flipReverted(db, step, 'done')
  }
}

/** The newest step of several: another item in the trash, or another file with the same content. */
function whatIsNow(kind: Step['kind'], latest: readonly Step[]) {
  const again = latest.findLast(step => step.kind === kind)
  if (kind === 'trash' && again) return { kept: again.kept ?? null }
  if (kind === 'replace' && again) return { made: again.made ?? null, stamp: again.stamp ?? null }
  return {}
}
