import { useId, useState } from 'react'
import { shownName } from '../../../../../shared/bytes.ts'
import { MAX_LISTED_CONFLICTS } from '../../../../../shared/conflicts.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { Glyph } from '../../../../ui/glyph.tsx'
import type { Conflict, Decision } from './conflict.ts'
import styles from './conflict-list.module.css'
import { type Choosing, decider, inAll, isMerge, NO_REPLACING, openConflicts, optionsOf } from './decisions.ts'
import { VersionDetails } from './version.tsx'

const LABELS = {
  keepBoth: 'conflicts.keepBoth',
  replace: 'conflicts.replace',
  skip: 'conflicts.skip',
  skipIdentical: 'conflicts.skipIdentical',
  replaceOlder: 'conflicts.replaceOlder',
} as const

/** Display name of a decision. */
export const labelOf = (decision: Decision): string => t(LABELS[decision])

/** Decisions in progress. */
export interface Deciding {
  /** The conflicts left by the decisions so far. */
  conflicts: readonly Conflict[]
  /** Those of them that the decision for all applies to. */
  inAll: readonly Conflict[]
  of(conflict: Conflict): Decision
  options(conflict: Conflict): readonly Decision[]
  choose(id: string, decision: Decision): void
  chooseAll(decision: Decision): void
  /** For conflicts without a decision. */
  all: Decision
}

/** State of the user's decisions. @param mayReplace whether the user may replace items */
export function useDecisions(conflicts: readonly Conflict[], mayReplace: boolean): Deciding {
  const [{ all, single }, set] = useState<Omit<Choosing, 'mayReplace'>>({ all: undefined, single: new Map() })
  const choosing = { mayReplace, all, single }
  const counts = inAll(conflicts)
  const of = decider(conflicts, choosing)
  const open = openConflicts(conflicts, of)
  const first = open.find(counts)
  return {
    conflicts: open,
    inAll: open.filter(counts),
    of,
    options: conflict => optionsOf(choosing, conflict),
    choose: (id, decision) => set({ all, single: new Map(single).set(id, decision) }),
    chooseAll(decision) {
      const ended = new Set(conflicts.filter(counts).map(({ id }) => id))
      set({ all: decision, single: new Map([...single].filter(([id]) => !ended.has(id))) })
    },
    all: all ?? (first && isMerge(first) && mayReplace ? 'replace' : 'keepBoth'),
  }
}

export interface ConflictListProps {
  decisions: Deciding
  /** Number of further files, which are not listed. */
  more: number
}

/** Both versions of each name side by side with the decision: one by one or for all at once. */
export function ConflictList({ decisions, more }: ConflictListProps) {
  return (
    <>
      <ForAll decisions={decisions} more={more} />
      <ConflictItems decisions={decisions} more={more} />
    </>
  )
}

/** The same, one by one. */
export function ConflictItems({ decisions, more }: ConflictListProps) {
  const { conflicts } = decisions
  const listed = conflicts.slice(0, MAX_LISTED_CONFLICTS)
  const unlisted = more + conflicts.length - listed.length
  return (
    <>
      <ul className={styles.list}>
        {listed.map(conflict => (
          <ConflictItem key={conflict.id} conflict={conflict} decisions={decisions} />
        ))}
      </ul>
      {unlisted > 0 && <p className={styles.more}>{t('conflicts.more', { count: unlisted })}</p>}
    </>
  )
}

function ForAll({ decisions, more }: ConflictListProps) {
  const id = useId()
  const count = decisions.inAll.length + more
  if (count < 2) return null
  const [most = NO_REPLACING] = decisions.inAll.map(decisions.options).sort((a, b) => b.length - a.length)
  return (
    <div className={styles.all}>
      <label htmlFor={id}>{t('conflicts.all', { count })}</label>
      <DecisionSelect
        id={id}
        merge={decisions.inAll.every(isMerge)}
        options={most}
        value={decisions.all}
        onChange={decisions.chooseAll}
      />
    </div>
  )
}

function ConflictItem({ conflict, decisions }: { conflict: Conflict; decisions: Deciding }) {
  const { id, name, ours, theirs } = conflict
  return (
    <li className={styles.item}>
      <span className={styles.name}>
        {ours.isDir && <Glyph kind="folder" />}
        <bdi>{shownName(name)}</bdi>
      </span>
      <VersionDetails label={t('conflicts.theirs')} version={theirs} />
      <VersionDetails label={t('conflicts.ours')} version={ours} />
      <DecisionSelect
        label={t('conflicts.whatToDo', { name })}
        merge={isMerge(conflict)}
        options={decisions.options(conflict)}
        value={decisions.of(conflict)}
        onChange={decision => decisions.choose(id, decision)}
      />
    </li>
  )
}

interface DecisionSelectProps {
  id?: string
  /** Accessible name, where no visible label gives one. */
  label?: string
  /** Folders are merged, not replaced. */
  merge?: boolean
  options: readonly Decision[]
  value: Decision
  onChange: (decision: Decision) => void
}

function DecisionSelect({ id, label, merge = false, options, value, onChange }: DecisionSelectProps) {
  return (
    <select
      id={id}
      className={styles.choice}
      value={value}
      aria-label={label}
      onChange={event => onChange(options.find(option => option === event.target.value) ?? 'keepBoth')}
    >
      {options.map(option => (
        <option key={option} value={option}>
          {merge && option === 'replace' ? t('conflicts.merge') : labelOf(option)}
        </option>
      ))}
    </select>
  )
}
