import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { pageConfig } from '../../../lib/config.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DEFAULTS, draftOf, type StepDraft } from '../default-steps.ts'
import { Preview } from '../preview.tsx'
import styles from '../rename-many.module.css'
import { renameMany } from '../run-rename.ts'
import { Saved } from '../saved.tsx'
import { Steps } from '../steps.tsx'
import { usePlan } from '../use-plan.ts'

interface RenameManyPromptProps {
  items: readonly ResourceItem[]
}

/** New names for several items: steps, and a preview of what they do. */
export default function RenameManyPrompt({ items: all }: RenameManyPromptProps) {
  const [items, setItems] = useState(all)
  const [drafts, setDrafts] = useState<readonly StepDraft[]>(() => [draftOf(DEFAULTS.replace)])
  const shown = useDeferredValue(drafts)
  const steps = useMemo(() => shown.map(({ step }) => step), [shown])
  const { names, invalid, isReading } = usePlan(items, steps)
  const problems = isReading ? 0 : names.filter(({ problem }) => problem !== undefined).length
  const changes = names.filter(({ from, to }) => from !== to).length
  const isReady = changes > 0 && problems === 0 && invalid.length === 0 && !isReading && shown === drafts
  const stateId = useId()
  const form = useRef<HTMLDivElement>(null)
  const firstField = useMemo(
    () => ({
      get current() {
        return form.current?.querySelector('input') ?? null
      },
    }),
    [],
  )
  const submit = () => {
    if (!isReady) return
    closePrompt()
    void renameMany(
      items.flatMap((item, index) => {
        const { from, to } = names[index] ?? { from: '', to: '' }
        return from === to ? [] : [{ item, name: to }]
      }),
    )
  }
  return (
    <Dialog
      title={t('renameMany.title', { count: items.length })}
      wide="full"
      onClose={closePrompt}
      initialFocus={firstField}
      aside={<Saved steps={steps} onUse={saved => setDrafts(saved.map(draftOf))} />}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" aria-disabled={!isReady || undefined} aria-describedby={stateId} onClick={submit}>
            {t('renameMany.confirm', { count: changes })}
          </Button>
        </>
      }
    >
      <div ref={form} className={styles.columns}>
        <Steps drafts={drafts} invalid={invalid} onChange={setDrafts} />
        <div className={styles.result}>
          <div className={styles.state}>
            <p id={stateId} role="status" data-problem={problems > 0 ? '' : undefined}>
              {stateText({ problems, isReading, changes, leftOut: all.length - items.length })}
            </p>
            {problems > 0 && (
              <Button kind="quiet" onClick={() => setItems(items.filter((_, index) => !names[index]?.problem))}>
                {t('renameMany.leaveOut')}
              </Button>
            )}
          </div>
          <Preview names={names} />
          {pageConfig.MovesByCopy && <p className={styles.hint}>{t('transfer.copiesAll')}</p>}
        </div>
      </div>
    </Dialog>
  )
}

interface State {
  problems: number
  isReading: boolean
  changes: number
  leftOut: number
}

function stateText({ problems, isReading, changes, leftOut }: State): string {
  if (isReading) return t('renameMany.reading')
  if (problems > 0) return t('renameMany.problems', { count: problems })
  if (changes === 0) return t('renameMany.nothing')
  return leftOut > 0 ? t('renameMany.leftOut', { count: leftOut }) : t('renameMany.preview')
}
