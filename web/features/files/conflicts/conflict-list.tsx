import { useId, useState } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { formatBytes, formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import type { Decision } from '../../../lib/prompts.ts'
import { Glyph } from '../../../ui/glyph.tsx'
import { isBare } from '../bare-item.ts'
import styles from './conflict-list.module.css'

/** Conflicts shown one by one at most; what is chosen for all counts for the rest. */
const LISTED = 50

const LABELS = {
  keepBoth: 'conflicts.keepBoth',
  replace: 'conflicts.replace',
  skip: 'conflicts.skip',
  skipIdentical: 'conflicts.skipIdentical',
  replaceOlder: 'conflicts.replaceOlder',
} as const

/** What can be decided about a name that is taken. */
export const SIMPLE: readonly Decision[] = ['keepBoth', 'replace', 'skip']
/** The same, with decisions that compare what is there. */
export const ALL: readonly Decision[] = [...SIMPLE, 'replaceOlder', 'skipIdentical']

/** How a decision is called. */
export const labelOf = (decision: Decision): string => t(LABELS[decision])

/** A file or folder as one side of a conflict. */
export interface Version {
  isDir: boolean
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch, or RFC 3339. */
  modified: number | string
}

/** Something on its way, and what is in the way. */
export interface Conflict {
  /** Unique in the list. */
  id: string
  name: string
  ours: Version
  /** Unknown when it can't be seen. */
  theirs: Version | undefined
}

/** What was decided about each conflict, and for those that were not touched. */
export interface Decisions {
  /** The choice of one conflict. */
  of(conflict: Conflict): Decision
  choose(id: string, decision: Decision): void
  chooseAll(decision: Decision): void
  all: Decision
}

/**
 * Keeps the decisions while somebody makes them.
 * @param mayReplace whether this person may replace anything
 */
export function useDecisions(
  mayReplace: boolean,
  choices = SIMPLE,
): Decisions & { options: (conflict: Conflict) => readonly Decision[]; choices: readonly Decision[] } {
  const [all, setAll] = useState<Decision>('keepBoth')
  const [chosen, setChosen] = useState<ReadonlyMap<string, Decision>>(new Map())
  const options = (conflict: Conflict) => optionsFor(conflict, mayReplace ? choices : NO_REPLACING)
  return {
    all,
    options,
    choices: mayReplace ? choices : NO_REPLACING,
    of(conflict) {
      const wanted = chosen.get(conflict.id) ?? all
      return options(conflict).includes(wanted) ? wanted : 'keepBoth'
    },
    choose: (id, decision) => setChosen(new Map(chosen).set(id, decision)),
    chooseAll(decision) {
      setAll(decision)
      setChosen(new Map())
    },
  }
}

/** What is left to somebody who may not replace anything. */
export const NO_REPLACING: readonly Decision[] = ['keepBoth', 'skip']

/** A file can't replace a folder, nor a folder a file. */
function optionsFor({ ours, theirs }: Conflict, choices: readonly Decision[]): readonly Decision[] {
  const fits = theirs === undefined || theirs.isDir === ours.isDir
  return fits ? choices : NO_REPLACING
}

export interface ConflictListProps {
  conflicts: readonly Conflict[]
  decisions: ReturnType<typeof useDecisions>
}

/** Both versions of each name side by side, with what to do about it: one by one or for all at once. */
export function ConflictList({ conflicts, decisions }: ConflictListProps) {
  const forAll = useId()
  const more = conflicts.length - LISTED
  const any = conflicts.some(conflict => decisions.options(conflict).includes('replace'))
  return (
    <>
      {conflicts.length > 1 && (
        <div className={styles.all}>
          <label htmlFor={forAll}>{t('conflicts.all', { count: conflicts.length })}</label>
          <DecisionSelect
            id={forAll}
            options={any ? decisions.choices : NO_REPLACING}
            value={decisions.all}
            onChange={decisions.chooseAll}
          />
        </div>
      )}
      <ul className={styles.list}>
        {conflicts.slice(0, LISTED).map(conflict => (
          <ConflictItem key={conflict.id} conflict={conflict} decisions={decisions} />
        ))}
      </ul>
      {more > 0 && <p className={styles.more}>{t('conflicts.more', { count: more })}</p>}
    </>
  )
}

function ConflictItem({ conflict, decisions }: { conflict: Conflict; decisions: ConflictListProps['decisions'] }) {
  const { id, name, ours, theirs } = conflict
  return (
    <li className={styles.item}>
      <span className={styles.name}>
        {ours.isDir && <Glyph kind="folder" />}
        <bdi>{shownName(name)}</bdi>
      </span>
      <p className={styles.version}>
        <span className={styles.label}>{t('conflicts.theirs')}</span>
        <VersionText version={theirs} />
      </p>
      <p className={styles.version}>
        <span className={styles.label}>{t('conflicts.ours')}</span>
        <VersionText version={ours} />
      </p>
      <DecisionSelect
        label={t('conflicts.whatToDo', { name })}
        merge={ours.isDir}
        options={decisions.options(conflict)}
        value={decisions.of(conflict)}
        onChange={decision => decisions.choose(id, decision)}
      />
    </li>
  )
}

function VersionText({ version }: { version: Version | undefined }) {
  if (!version || isBare(version)) return <span>–</span>
  return (
    <>
      <span>{version.isDir ? t('conflicts.folder') : formatBytes(version.size)}</span>
      <span>{formatDate(version.modified)}</span>
    </>
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
