import { useEffect, useRef } from 'react'
import { MAX_RULES } from '../../../shared/api/users.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import type { Problems } from '../../lib/refusal.ts'
import { Button } from '../button.tsx'
import { Plus } from '../icons.ts'
import styles from './editor.module.css'
import { RuleRow } from './row.tsx'
import { moveRule, newRule, problemOf, type RuleDraft } from './rules.ts'
import { RuleTester } from './tester.tsx'
import { useEngine } from './use-engine.ts'

export interface RulesEditorProps {
  value: readonly RuleDraft[]
  onChange: (rules: RuleDraft[]) => void
  /** Errors from the server by field: `rules[0].path`. */
  problems: Problems
}

/** Access rules, which allow or deny paths, in order, with a field to test them. */
export function RulesEditor({ value, onChange, problems }: RulesEditorProps) {
  const engine = useEngine(value.some(rule => rule.regex))
  const { list, focusNext } = useRowFocus()
  const add = () => {
    const rule = newRule()
    focusNext(rule.key, 'text')
    onChange([...value, rule])
  }
  const remove = (index: number) => {
    const neighbour = value[index + 1] ?? value[index - 1]
    focusNext(neighbour?.key, 'remove')
    onChange(value.toSpliced(index, 1))
  }
  const move = (from: number, to: number) => {
    if (to < 0 || to >= value.length) return
    announce(t('rules.moved', { position: to + 1, count: value.length }))
    onChange(moveRule(value, from, to))
  }
  return (
    <div ref={list} className={styles.editor}>
      {value.length > 0 && (
        <ol className={styles.list}>
          {value.map((rule, index) => (
            <RuleRow
              key={rule.key}
              rule={rule}
              index={index}
              count={value.length}
              problem={problemOf(rule, engine)}
              refusal={problems[`rules[${index}].regexp.raw`] ?? problems[`rules[${index}].path`]}
              onChange={part => onChange(value.with(index, { ...rule, ...part }))}
              onMove={by => move(index, index + by)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      <Button
        data-part="add"
        className={styles.add}
        icon={<Plus size={18} aria-hidden />}
        disabled={value.length >= MAX_RULES}
        onClick={add}
      >
        {t('rules.add')}
      </Button>
      {value.length > 0 && <RuleTester rules={value} engine={engine} />}
    </div>
  )
}

/** Target of the focus when rows are added or removed: a part of a row, or the button that adds one. */
function useRowFocus() {
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    list.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = undefined
  })
  const focusNext = (key: number | undefined, part: 'text' | 'remove') => {
    wanted.current = key === undefined ? '[data-part="add"]' : `[data-rule="${key}"] [data-part="${part}"]`
  }
  return { list, focusNext }
}
