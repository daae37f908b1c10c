import type { Place, RenameStep, TimeSource } from '../../../shared/rename-steps.ts'
import { t } from '../../lib/i18n/index.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import styles from './rename-many.module.css'

type Of<K extends RenameStep['kind']> = Extract<RenameStep, { kind: K }>

export interface StepFieldsProps<S extends RenameStep = RenameStep> {
  step: S
  onChange: (step: RenameStep) => void
  /** Its expression or replacement is not valid. */
  isInvalid: boolean
}

/** The fields of a template, as they are written. */
const FIELDS = '{name} {ext} {n} {n:3} {modified:YYYY-MM-DD} {taken:YYYY-MM-DD} {now} {size} {folder} {camera}'
const DATE_PARTS = 'YYYY YY MM DD HH mm ss'

/** What can be set about a step. */
export function StepFields(props: StepFieldsProps) {
  const { step } = props
  switch (step.kind) {
    case 'replace':
    case 'expression':
      return <FindFields {...props} step={step} />
    case 'case':
      return <CaseFields {...props} step={step} />
    case 'insert':
    case 'remove':
      return <RangeFields {...props} step={step} />
    case 'number':
      return <NumberFields {...props} step={step} />
    case 'date':
      return <DateFields {...props} step={step} />
    case 'extension':
      return <ExtensionFields {...props} step={step} />
    case 'tidy':
      return <TidyFields {...props} step={step} />
    case 'template':
      return (
        <Text
          label={t('renameMany.pattern')}
          value={step.pattern}
          hint={t('renameMany.fields', { fields: FIELDS })}
          onChange={pattern => props.onChange({ ...step, pattern })}
        />
      )
  }
}

function FindFields({ step, onChange, isInvalid }: StepFieldsProps<Of<'replace'> | Of<'expression'>>) {
  return (
    <>
      <Text
        label={t('renameMany.find')}
        value={step.find}
        error={isInvalid ? t('renameMany.badExpression') : undefined}
        onChange={find => onChange({ ...step, find })}
      />
      <Text label={t('renameMany.with')} value={step.with} onChange={text => onChange({ ...step, with: text })} />
      <Checkbox
        label={t('renameMany.ignoreCase')}
        checked={step.ignoreCase}
        onChange={ignoreCase => onChange({ ...step, ignoreCase })}
      />
    </>
  )
}

const CASES = ['lower', 'upper', 'title', 'sentence'] as const

function CaseFields({ step, onChange }: StepFieldsProps<Of<'case'>>) {
  return (
    <Choice
      label={t('renameMany.step.case')}
      value={step.to}
      values={CASES}
      text={value => t(`renameMany.case.${value}`)}
      onChange={to => onChange({ ...step, to })}
    />
  )
}

function RangeFields({ step, onChange }: StepFieldsProps<Of<'insert'> | Of<'remove'>>) {
  const isInsert = step.kind === 'insert'
  return (
    <>
      {isInsert && (
        <Text label={t('renameMany.text')} value={step.text} onChange={text => onChange({ ...step, text })} />
      )}
      <div className={styles.pair}>
        {!isInsert && (
          <Count label={t('renameMany.count')} value={step.count} onChange={count => onChange({ ...step, count })} />
        )}
        <Count
          label={t('renameMany.skip')}
          value={isInsert ? step.at : step.start}
          onChange={at => onChange(isInsert ? { ...step, at } : { ...step, start: at })}
        />
        <Side label={t('renameMany.from')} value={step.from} onChange={from => onChange({ ...step, from })} />
      </div>
    </>
  )
}

function NumberFields({ step, onChange }: StepFieldsProps<Of<'number'>>) {
  return (
    <div className={styles.pair}>
      <Count label={t('renameMany.first')} value={step.start} onChange={start => onChange({ ...step, start })} />
      <Count label={t('renameMany.increment')} value={step.step} onChange={by => onChange({ ...step, step: by })} />
      <Count
        label={t('renameMany.digits')}
        value={step.digits}
        most={20}
        onChange={digits => onChange({ ...step, digits })}
      />
      <Text
        label={t('renameMany.separator')}
        value={step.separator}
        onChange={separator => onChange({ ...step, separator })}
      />
      <Side label={t('renameMany.place')} value={step.at} onChange={at => onChange({ ...step, at })} />
    </div>
  )
}

const TIMES: readonly TimeSource[] = ['modified', 'taken', 'now']

function DateFields({ step, onChange }: StepFieldsProps<Of<'date'>>) {
  return (
    <div className={styles.pair}>
      <Choice
        label={t('renameMany.step.date')}
        value={step.time}
        values={TIMES}
        text={value => t(`renameMany.time.${value}`)}
        onChange={time => onChange({ ...step, time })}
      />
      <Text
        label={t('renameMany.pattern')}
        value={step.pattern}
        hint={DATE_PARTS}
        onChange={pattern => onChange({ ...step, pattern })}
      />
      <Text
        label={t('renameMany.separator')}
        value={step.separator}
        onChange={separator => onChange({ ...step, separator })}
      />
      <Side label={t('renameMany.place')} value={step.at} onChange={at => onChange({ ...step, at })} />
    </div>
  )
}

const EXTENSIONS = ['lower', 'upper', 'set', 'remove'] as const

function ExtensionFields({ step, onChange }: StepFieldsProps<Of<'extension'>>) {
  const text = (value: (typeof EXTENSIONS)[number]) =>
    value === 'lower' || value === 'upper' ? t(`renameMany.case.${value}`) : t(`renameMany.extension.${value}`)
  return (
    <>
      <Choice
        label={t('renameMany.step.extension')}
        value={step.to}
        values={EXTENSIONS}
        text={text}
        onChange={to => onChange({ ...step, to })}
      />
      {step.to === 'set' && (
        <Text label={t('renameMany.text')} value={step.value} onChange={value => onChange({ ...step, value })} />
      )}
    </>
  )
}

const TIDIES = ['spaces', 'compose', 'accents', 'portable'] as const

function TidyFields({ step, onChange }: StepFieldsProps<Of<'tidy'>>) {
  return TIDIES.map(what => (
    <Checkbox
      key={what}
      label={t(`renameMany.tidy.${what}`)}
      checked={step[what]}
      onChange={checked => onChange({ ...step, [what]: checked })}
    />
  ))
}

interface TextProps {
  label: string
  value: string
  hint?: string
  error?: string | undefined
  onChange: (value: string) => void
}

function Text({ onChange, ...props }: TextProps) {
  return (
    <TextField
      {...props}
      spellCheck={false}
      autoComplete="off"
      dir="auto"
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function Count({ label, value, most = 999_999, onChange }: CountProps) {
  return (
    <TextField
      label={label}
      type="number"
      min={0}
      max={most}
      value={value}
      onChange={event => onChange(Math.min(most, Math.max(0, Math.trunc(event.currentTarget.valueAsNumber || 0))))}
    />
  )
}

interface CountProps {
  label: string
  value: number
  most?: number
  onChange: (value: number) => void
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  values: readonly T[]
  text: (value: T) => string
  onChange: (value: T) => void
}

function Choice<T extends string>({ label, value, values, text, onChange }: ChoiceProps<T>) {
  return (
    <SelectField
      label={label}
      value={value}
      choices={values.map(each => ({ value: each, label: text(each) }))}
      onChange={chosen => onChange(values.find(each => each === chosen) ?? value)}
    />
  )
}

const SIDES: readonly Place[] = ['start', 'end']

function Side({ label, value, onChange }: { label: string; value: Place; onChange: (value: Place) => void }) {
  return (
    <Choice label={label} value={value} values={SIDES} text={side => t(`renameMany.${side}`)} onChange={onChange} />
  )
}
