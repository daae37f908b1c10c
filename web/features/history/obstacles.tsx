import type { Verdict } from '../../../shared/api/changes.ts'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import inputs from '../../ui/field.module.css'
import type { ObstacleGroup, StepChoice } from '../files/changes/decisions.ts'
import { obstacleText, whyText } from '../files/changes/texts.ts'
import styles from './history.module.css'

/** Items of a group listed one by one; the choice for all applies to the rest. */
const LISTED = 100

interface ObstacleListProps {
  group: ObstacleGroup
  /** By the positions of steps. */
  chosen: ReadonlyMap<number, StepChoice>
  onChoose: (choices: ReadonlyMap<number, StepChoice>) => void
}

/** Items with one obstacle, and what is done with each of them. */
export function ObstacleList({ group: { why, choices, verdicts }, chosen, onChoose }: ObstacleListProps) {
  const more = verdicts.length - LISTED
  const common = commonOf(verdicts, chosen)
  const chooseAll = (choice: StepChoice) => onChoose(new Map(verdicts.map(({ position }) => [position, choice])))
  return (
    <section className={styles.group} aria-label={obstacleText(why)}>
      <div className={styles.groupHead}>
        <h3 className={styles.groupTitle}>{obstacleText(why)}</h3>
        {choices.length > 0 && verdicts.length > 1 && (
          <Choose
            label={t('conflicts.all', { count: verdicts.length })}
            choices={choices}
            value={common}
            onChange={chooseAll}
          />
        )}
      </div>
      <ul className={styles.names}>
        {verdicts.slice(0, LISTED).map(({ position, path, to = path, went }) => (
          <li key={position} className={styles.name}>
            <bdi>{shownName(to)}</bdi>
            {went && <span className={styles.went}>{whyText({ why, went })}</span>}
            {choices.length > 0 && (
              <Choose
                label={t('conflicts.whatToDo', { name: nameOf(parsePath(to)) })}
                choices={choices}
                value={chosen.get(position)}
                onChange={choice => onChoose(new Map([[position, choice]]))}
              />
            )}
          </li>
        ))}
        {more > 0 && <li>{t('files.deleteMore', { count: more })}</li>}
      </ul>
    </section>
  )
}

/** The choice that all of them have; none if they differ. */
function commonOf(verdicts: readonly Verdict[], chosen: ReadonlyMap<number, StepChoice>): StepChoice | undefined {
  const values = new Set(verdicts.map(({ position }) => chosen.get(position)))
  return values.size === 1 ? [...values][0] : undefined
}

interface ChooseProps {
  label: string
  choices: readonly StepChoice[]
  value: StepChoice | undefined
  onChange: (choice: StepChoice) => void
}

function Choose({ label, choices, value, onChange }: ChooseProps) {
  return (
    <select
      className={inputs.input}
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => {
        const choice = choices.find(each => each === target.value)
        if (choice) onChange(choice)
      }}
    >
      {value === undefined && <option value="">{label}</option>}
      {choices.map(choice => (
        <option key={choice} value={choice}>
          {CHOICES[choice]()}
        </option>
      ))}
    </select>
  )
}

const CHOICES: Readonly<Record<StepChoice, () => string>> = {
  leave: () => t('changes.offer.leave'),
  trash: () => t('changes.offer.trash'),
  copy: () => t('versions.copy'),
  over: () => t('changes.offer.over'),
  settings: () => t('changes.offer.settings'),
  keepBoth: () => t('conflicts.keepBoth'),
  replace: () => t('conflicts.replace'),
}
