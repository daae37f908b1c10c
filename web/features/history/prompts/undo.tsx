import { useRef, useState } from 'react'
import type { Change, Verdict } from '../../../../shared/api/changes.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { formatDate, formatFacts, formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import {
  bodyOf,
  defaultChoice,
  type ObstacleGroup,
  obstacleGroups,
  type StepChoice,
} from '../../files/changes/decisions.ts'
import { byText, isRedo, subjectText } from '../../files/changes/texts.ts'
import { performUndo } from '../../files/changes/undo-change.ts'
import styles from '../history.module.css'
import { ObstacleList } from '../obstacles.tsx'

interface UndoPromptProps {
  change: Change
  /** What the undo would do; without the steps that are undone already. */
  verdicts: readonly Verdict[]
  /** Whether these are all steps. */
  isWhole: boolean
}

/** Items listed by their paths, also where others need a decision; the rest is counted. */
const LISTED = 20
const LISTED_FIRST = 5

/** Asks before a change is undone: what can be undone, what cannot and why, and what can be done instead. */
export default function UndoPrompt({ change, verdicts, isWhole }: UndoPromptProps) {
  const [groups] = useState(() => obstacleGroups(verdicts))
  const [chosen, setChosen] = useState<ReadonlyMap<number, StepChoice>>(() => defaultsOf(groups))
  const cancel = useRef<HTMLButtonElement>(null)
  const can = verdicts.filter(verdict => verdict.can)
  const acts = can.length + verdicts.filter(({ position, can }) => !can && isActing(chosen.get(position))).length
  const total = isWhole ? verdicts.length : Math.max(change.count, verdicts.length)
  const what = subjectText(change)
  const submit = () => {
    closePrompt()
    void performUndo(
      change,
      verdicts,
      bodyOf(verdicts, ({ position }) => chosen.get(position) ?? 'leave', isWhole),
    )
  }
  return (
    <Dialog
      wide={groups.length > 0}
      title={isRedo(change) ? t('changes.redoOf', { what }) : t('changes.undoOf', { what })}
      description={formatFacts([byText(change), formatDate(change.time)])}
      onClose={closePrompt}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={closePrompt}>
            {t('common.cancel')}
          </Button>
          <Button kind="primary" disabled={acts === 0} onClick={submit}>
            {isRedo(change) ? t('actions.redo') : t('actions.undo')}
          </Button>
        </>
      }
    >
      {can.length < total && isWhole && (
        <p>{t('changes.possible', { can: formatNumber(can.length), total: formatNumber(total) })}</p>
      )}
      {can.length > 0 && (
        <Undoable
          verdicts={can.slice(0, groups.length > 0 ? LISTED_FIRST : LISTED)}
          total={isWhole ? can.length : total}
        />
      )}
      {groups.map(group => (
        <ObstacleList
          key={[group.why, ...group.choices].join()}
          group={group}
          chosen={chosen}
          onChoose={(choices: ReadonlyMap<number, StepChoice>) => setChosen(new Map([...chosen, ...choices]))}
        />
      ))}
    </Dialog>
  )
}

const isActing = (choice: StepChoice | undefined) => choice !== undefined && choice !== 'leave'

function defaultsOf(groups: readonly ObstacleGroup[]): ReadonlyMap<number, StepChoice> {
  return new Map(
    groups.flatMap(group => group.verdicts.map(({ position }) => [position, defaultChoice(group)] as const)),
  )
}

/** The first of the items that can be undone as they are. */
function Undoable({ verdicts, total }: { verdicts: readonly Verdict[]; total: number }) {
  const more = total - verdicts.length
  return (
    <ul className={styles.names}>
      {verdicts.map(({ position, path, to = path }) => (
        <li key={position}>
          <bdi>{shownName(to)}</bdi>
        </li>
      ))}
      {more > 0 && <li>{t('files.deleteMore', { count: more })}</li>}
    </ul>
  )
}
