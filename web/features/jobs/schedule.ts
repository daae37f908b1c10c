import { useEffect, useRef, useState } from 'react'
import type { JobRequest } from '../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { parsePath, ROOT } from '../../../shared/path.ts'
import { knownFolder } from '../files/api/list.ts'
import type { Conflict, Decision } from '../files/operations/conflicts/conflict.ts'
import { type Deciding, useDecisions } from '../files/operations/conflicts/conflict-list.tsx'
import {
  checkConflicts,
  type FoundConflicts,
  NO_CONFLICTS,
  scheduledPrompts,
  scheduledSteps,
} from '../files/operations/find-conflicts.ts'
import { planSteps, requestFor, type Step } from '../files/operations/plan-transfer.ts'

/** The operation to schedule. */
export interface ScheduleProps {
  action: 'copy' | 'move' | 'delete'
  items: readonly ResourceItem[]
  /** Of a copy or move. */
  destination?: string
  /** Compares each copy with its source. */
  verify?: boolean
  /** Of a deletion: for good, not to the trash. */
  permanent?: boolean
}

/** A job in the scheduling prompt. */
export interface ScheduledJob {
  /** Conflicts as of now. */
  decisions: Deciding
  /** Number of conflicts that are not listed. */
  more: number
  /** Settles when everything has loaded. @returns whether all of it was cached */
  seen(): Promise<boolean>
  /**
   * @param conflict for names without a decision of their own, or taken only by then @param runAt RFC 3339
   */
  request(runAt: string, conflict: Decision): JobRequest
}

interface Sight {
  foundConflicts: FoundConflicts
  conflicts: readonly Conflict[]
}

const NOTHING: Sight = { foundConflicts: NO_CONFLICTS, conflicts: [] }

/** Finds the conflicts of a job to be scheduled. @param mayReplace whether the user may replace items */
export function useSchedule(props: ScheduleProps, mayReplace: boolean): ScheduledJob {
  const [plan] = useState(() => planOf(props))
  const [sight, setSight] = useState<Sight>()
  const look = useRef(Promise.resolve(NOTHING))
  useEffect(() => {
    look.current = sightOf(plan)
    void look.current.then(setSight)
  }, [plan])
  const { foundConflicts, conflicts } = sight ?? NOTHING
  const decisions = useDecisions(conflicts, mayReplace)
  return {
    decisions,
    more: foundConflicts.more,
    async seen() {
      const now = await look.current
      return now === sight || now.conflicts.length === 0
    },
    request(runAt, conflict) {
      if (props.action === 'delete')
        return { kind: 'delete', items: props.items.map(({ path: from }) => ({ from })), runAt, ...forGood(props) }
      const steps = scheduledSteps(plan.steps, foundConflicts, plan.destination, decisions.of)
      return { ...requestFor({ action: props.action, verify: props.verify ?? false }, steps), conflict, runAt }
    },
  }
}

const forGood = ({ permanent }: ScheduleProps) => (permanent ? { permanent } : {})

function planOf({ action, items, destination: goal = ROOT }: ScheduleProps) {
  const destination = parsePath(goal)
  const taken = knownFolder(destination)?.items.map(({ name }) => name) ?? []
  const steps: readonly Step[] = action === 'delete' ? [] : planSteps(action, items, destination, taken)
  return { destination, steps }
}

async function sightOf({ destination, steps }: ReturnType<typeof planOf>): Promise<Sight> {
  if (steps.length === 0) return NOTHING
  const foundConflicts = await checkConflicts(steps)
  return { foundConflicts, conflicts: scheduledPrompts(foundConflicts, destination) }
}
