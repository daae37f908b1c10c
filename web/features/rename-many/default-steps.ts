import type { RenameStep, StepKind } from '../../../shared/rename-steps.ts'
import { DATE_PATTERN } from '../../../shared/rename-steps.ts'

/** A step in the editor. */
export interface StepDraft {
  /** Stable while the step is moved. */
  key: number
  step: RenameStep
}

/** A new step of each kind, in the order of the menu. */
export const DEFAULTS: { readonly [K in StepKind]: Extract<RenameStep, { kind: K }> } = {
  replace: { kind: 'replace', find: '', with: '', ignoreCase: false },
  expression: { kind: 'expression', find: '', with: '', ignoreCase: false },
  case: { kind: 'case', to: 'lower' },
  insert: { kind: 'insert', text: '', at: 0, from: 'start' },
  remove: { kind: 'remove', start: 0, count: 1, from: 'start' },
  number: { kind: 'number', start: 1, step: 1, digits: 3, at: 'end', separator: ' ' },
  date: { kind: 'date', time: 'modified', pattern: DATE_PATTERN, at: 'start', separator: ' ' },
  extension: { kind: 'extension', to: 'lower', value: '' },
  tidy: { kind: 'tidy', spaces: true, compose: true, accents: false, portable: false },
  template: { kind: 'template', pattern: '{name}' },
}

/** What most renames of images are: a name for all, and a number. */
export const SERIES: RenameStep = { kind: 'template', pattern: '{folder} {n:3}' }

/** The part of that pattern that most users replace by a name of their own. */
export const SERIES_NAME = '{folder}'

/** Whether a step is as it was added, and does nothing. */
export const isUntouched = ({ step }: StepDraft): boolean => step === DEFAULTS.replace

export const KINDS = Object.keys(DEFAULTS) as StepKind[]

let lastKey = 0

export function draftOf(step: RenameStep): StepDraft {
  lastKey += 1
  return { key: lastKey, step }
}
