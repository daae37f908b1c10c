import { useEffect, useRef } from 'react'
import type { RenameStep } from '../../../shared/rename-steps.ts'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { ArrowDown, ArrowUp, Plus, X } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { DEFAULTS, draftOf, isUntouched, KINDS, SERIES, SERIES_NAME, type StepDraft } from './default-steps.ts'
import styles from './rename-many.module.css'
import { StepFields } from './step-fields.tsx'

interface StepsProps {
  drafts: readonly StepDraft[]
  invalid: readonly RenameStep[]
  onChange: (drafts: readonly StepDraft[]) => void
}

/** The steps of a rename, in the order in which they change a name. */
export function Steps({ drafts, invalid, onChange }: StepsProps) {
  const change = (key: number, step: RenameStep) =>
    onChange(drafts.map(draft => (draft.key === key ? { key, step } : draft)))
  const move = (from: number, to: number) => {
    const [moved, rest] = [drafts.slice(from, from + 1), drafts.toSpliced(from, 1)]
    onChange(rest.toSpliced(to, 0, ...moved))
  }
  // The dialog begins with an empty step, which is in the way of another one.
  const touched = drafts.filter(draft => !isUntouched(draft))
  const list = useRef<HTMLOListElement>(null)
  const hasAdded = useRef(false)
  const add = (step: RenameStep, before = drafts) => {
    hasAdded.current = true
    onChange([...before, draftOf(step)])
  }
  useEffect(() => {
    if (!hasAdded.current) return
    hasAdded.current = false
    const focus = () => {
      const field = list.current?.querySelector<HTMLElement>('li:last-child :is(input, select)')
      field?.focus()
      // What is typed now takes the place of the name, and the number stays.
      if (field instanceof HTMLInputElement && field.value.startsWith(SERIES_NAME))
        field.setSelectionRange(0, SERIES_NAME.length)
    }
    // In the next frame, the dialog takes back the focus of the menu that has closed.
    requestAnimationFrame(() => requestAnimationFrame(focus))
  }, [drafts])
  return (
    <div className={styles.steps}>
      <ol ref={list} className={styles.list}>
        {drafts.map(({ key, step }, index) => {
          const name = t(`renameMany.step.${step.kind}`)
          return (
            <li key={key}>
              <fieldset className={styles.step}>
                <legend className={styles.legend}>{name}</legend>
                <div className={styles.buttons}>
                  <IconButton
                    label={t('renameMany.up', { step: name })}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <ArrowUp size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={t('renameMany.down', { step: name })}
                    disabled={index === drafts.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <ArrowDown size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={t('renameMany.removeStep', { step: name })}
                    onClick={() => onChange(drafts.toSpliced(index, 1))}
                  >
                    <X size={16} aria-hidden />
                  </IconButton>
                </div>
                <StepFields step={step} isInvalid={invalid.includes(step)} onChange={changed => change(key, changed)} />
              </fieldset>
            </li>
          )
        })}
      </ol>
      <MenuButton
        label={t('renameMany.addStep')}
        text={t('renameMany.addStep')}
        className={styles.add}
        entries={[
          {
            id: 'series',
            label: t('renameMany.series'),
            run: () => add(SERIES, touched),
          },
          ...KINDS.map(kind => ({
            id: kind,
            label: t(`renameMany.step.${kind}`),
            separated: kind === KINDS[0],
            run: () => add(DEFAULTS[kind], kind === 'replace' ? drafts : touched),
          })),
        ]}
      >
        <Plus size={18} aria-hidden />
      </MenuButton>
    </div>
  )
}
