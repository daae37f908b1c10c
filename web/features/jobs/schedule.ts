import { useEffect, useRef, useState } from 'react'
import type { JobRequest } from '../../../shared/api/jobs.ts'
import { parsePath, ROOT } from '../../../shared/path.ts'
import type { Conflict, Decision, ScheduleProps } from '../../lib/prompts.ts'
import { knownFolder } from '../files/api/list.ts'
import { type Deciding, useDecisions } from '../files/operations/conflicts/conflict-list.tsx'
import {
  askedForLater,
  decidedForLater,
  lookAhead,
  NOTHING_SEEN,
  type Outlook,
} from '../files/operations/find-conflicts.ts'
import { planSteps, requestFor, type Step } from '../files/operations/plan-transfer.ts'

/** Something that is to be done later, while somebody says how. */
export interface Later {
  /** About names that are taken by now. */
  decisions: Deciding
  /** Names that are not told one by one. */
  more: number
  /** Settles when all of this is known. @returns whether all of it was on the screen already */
  seen(): Promise<boolean>
  /** @param conflict for names that are not decided about one by one, or are taken by then only. @param runAt RFC 3339 */
  request(runAt: string, conflict: Decision): JobRequest
}

interface Sight {
  outlook: Outlook
  conflicts: readonly Conflict[]
}

const NOTHING: Sight = { outlook: NOTHING_SEEN, conflicts: [] }

/** Looks for what is in the way of things that are to be done later. @param mayReplace whether this person may replace anything */
export function useLater(props: ScheduleProps, mayReplace: boolean): Later {
  const [plan] = useState(() => planOf(props))
  const [sight, setSight] = useState<Sight>()
  const look = useRef(Promise.resolve(NOTHING))
  useEffect(() => {
    look.current = sightOf(plan)
    void look.current.then(setSight)
  }, [plan])
  const { outlook, conflicts } = sight ?? NOTHING
  const decisions = useDecisions(conflicts, mayReplace)
  return {
    decisions,
    more: outlook.more,
    async seen() {
      const now = await look.current
      return now === sight || now.conflicts.length === 0
    },
    request(runAt, conflict) {
      if (props.action === 'delete')
        return { kind: 'delete', items: props.items.map(({ path: from }) => ({ from })), runAt }
      const steps = decidedForLater(plan.steps, outlook, plan.destination, decisions.of)
      return { ...requestFor(props.action, steps), conflict, runAt }
    },
  }
}

function planOf({ action, items, destination: goal = ROOT }: ScheduleProps) {
  const destination = parsePath(goal)
  const taken = knownFolder(destination)?.items.map(({ name }) => name) ?? []
  const steps: readonly Step[] = action === 'delete' ? [] : planSteps(action, items, destination, taken)
  return { destination, steps }
}

async function sightOf({ destination, steps }: ReturnType<typeof planOf>): Promise<Sight> {
  if (steps.length === 0) return NOTHING
  const outlook = await lookAhead(steps)
  return { outlook, conflicts: askedForLater(outlook, destination) }
}
